"""Child processes, of which none outlives the tests: those that lost their parent become ours, and end with us."""

import ctypes
import os
import shutil
import signal
import subprocess
import time

PR_SET_CHILD_SUBREAPER = 36
GIVE_UP_SECONDS = 90


class Failed(Exception):
    """A test has failed; the message says how."""


def adopt_orphans():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupted)


def _interrupted(number, frame):
    raise KeyboardInterrupt


def children_of(pid):
    """The processes that one has started, directly or not."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                    parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                pass
    found, level = [], [pid]
    while level:
        level = [child for child, parent in parents.items() if parent in level]
        found += level
    return found


def end_all():
    """Kills whatever this process has started and still runs."""
    until = time.monotonic() + GIVE_UP_SECONDS
    while time.monotonic() < until:
        remaining = children_of(os.getpid())
        if not remaining:
            return
        for pid in remaining:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        reap()
        time.sleep(0.01)


def end_children_but(kept):
    """Kills what this process has started and still runs, but for some."""
    for pid in children_of(os.getpid()):
        if pid not in kept:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


def kill_tree(pid):
    """Kills a process and all that it has started."""
    for each in children_of(pid) + [pid]:
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            pass


def show(pid):
    """Where the threads of a process and of those that it has started stand still."""
    for each in [pid] + children_of(pid):
        try:
            with open(f"/proc/{each}/cmdline", encoding="utf-8", errors="replace") as file:
                print(f"process {each}: {file.read().replace(chr(0), ' ')[:200]}")
            for thread in os.listdir(f"/proc/{each}/task"):
                facts = []
                for name in ("wchan", "syscall", "stack"):
                    with open(f"/proc/{each}/task/{thread}/{name}", encoding="ascii") as file:
                        facts.append(" ".join(file.read().split()))
                print(f"  thread {thread}: {'; '.join(facts)}")
        except OSError as error:
            print(f"  {error}")
    if shutil.which("gdb"):
        subprocess.run(["gdb", "-p", str(pid), "-batch", "-ex", "thread apply all bt"], stdin=subprocess.DEVNULL, check=False, timeout=60)


def state_of(process):
    """How a child has ended, if it has, or is about to."""
    try:
        return f"has ended with {process.wait(2)}"
    except subprocess.TimeoutExpired:
        return "runs"


def wait(process, seconds, what):
    """Waits for a process whose output goes to a file."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        show(process.pid)
        kill_tree(process.pid)
        process.wait()
        raise Failed(f"{what} did not end within {seconds} s") from None


def wait_until(condition, what):
    """Waits for as long as a busy machine may need."""
    until = time.monotonic() + GIVE_UP_SECONDS
    while not condition():
        if time.monotonic() > until:
            raise Failed(f"not within {GIVE_UP_SECONDS} s: {what}")
        time.sleep(0.005)
