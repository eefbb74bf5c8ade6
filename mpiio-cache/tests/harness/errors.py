"""Suite errors: a file system that is full, over a quota, broken or hung, and what programs are told of it."""

import contextlib
import mmap
import os
import random
import struct
import subprocess
import time

from . import processes
from .agent import MIB
from .processes import Failed
from .program import Program, content, put, same
from .workplace import Workplace

MODES = ("write-through", "write-back")
CASES = ("full", "quota", "broken", "too-large", "close", "middle-of-write", "middle-of-read", "durable", "durable-failed", "collective",
         "non-blocking", "own-handler", "fatal")
FILE_BYTES = 8 * MIB


def is_mounted(path):
    """Also of a file system whose process has ended, of which os.path.ismount knows nothing."""
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        return any(line.split()[1] == path for line in mounts)


def unmount(path):
    return subprocess.run(["umount", "--lazy", path], stderr=subprocess.DEVNULL, check=False).returncode == 0


@contextlib.contextmanager
def failing_file_system(work):
    """What is cached is on slowfs from now on. Gives the paths of the folder behind it, and of its control file."""
    if not os.access("/dev/fuse", os.W_OK):
        raise Failed("a file system that fails needs /dev/fuse")
    backing = work.at("backing")
    control = work.at("control")
    mount = work.at("cached")
    os.mkdir(backing)
    process = subprocess.Popen([os.path.join(work.build, "slowfs"), backing, mount, "100000", "0", control], stdin=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + processes.GIVE_UP_SECONDS
        while not is_mounted(mount):
            if process.poll() is not None or time.monotonic() > until:
                raise Failed("slowfs has not started")
            time.sleep(0.005)
        yield backing, control
    finally:
        # Whoever has files open keeps it mounted.
        processes.end_all()
        # So may FUSE's own helper, at the same time.
        processes.wait_until(lambda: not is_mounted(mount) or unmount(mount), f"{mount} is unmounted")
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        process.wait()


class Control:
    """slowfs's control file, as bench/slowfs.h has it."""

    CALLS = ("read", "write", "fsync", "open", "close", "getattr")
    HANG = -2

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.words = mmap.mmap(file.fileno(), 0)

    def fail(self, call, how):
        """All calls of a kind from now on, until they are mended."""
        at = 8 * (1 + len(self.CALLS) + 4 * self.CALLS.index(call))
        struct.pack_into("=QQq", self.words, at, 1, 2 ** 64 - 1, how)

    def ended(self, call):
        """How many calls of a kind have failed or hung so far."""
        return struct.unpack_from("=Q", self.words, 8 * (1 + len(self.CALLS) + 4 * self.CALLS.index(call) + 3))[0]

    def mend(self):
        for number in range(len(self.CALLS)):
            struct.pack_into("=QQ", self.words, 8 * (1 + len(self.CALLS) + 4 * number), 0, 0)


def hanging(options):
    """A file system that does not answer holds up neither the agent's adapter nor programs on other file systems: all that is done while it
    hangs would otherwise never end."""
    for name in options.mpi:
        begin = time.monotonic()
        with Workplace(options.build) as work, failing_file_system(work) as (backing, path):
            control = Control(path)
            try:
                one_hanging(work, name, control, backing)
                hung_writer(work, name, control, backing)
            finally:
                control.mend()
        print(f"errors: {name}: a file system that hangs holds up nobody else, and no bytes from before a write stay:"
              f" {time.monotonic() - begin:.1f} s", flush=True)


def one_hanging(work, name, control, backing):
    hung, other = work.at("cached/file"), work.at("plain/file")
    put(os.path.join(backing, "file"), 1, 2 * MIB)
    put(other, 1)
    agent = work.agent(arguments=["--dirty-age", "100"]).start("--capacity", "4194304")
    folders = work.at("cached") + ":" + work.at("plain")
    programs = [Program(work, name, agent, "write-back", folders) for _ in range(2)]
    programs[0].do(f"open 0 {hung}")
    programs[1].do(f"open 0 {other}")
    for call in ("write", "open", "close", "getattr"):
        control.fail(call, Control.HANG)
    programs[0].do("write 0 0 65536 3")
    time.sleep(0.5)
    for turn in range(3):
        programs[1].do(f"write 0 0 200000 {10 + turn}")
        processes.wait_until(lambda: content(other)[:200000] == bytes([10 + turn]) * 200000, "the agent flushes a file elsewhere")
        answer = agent.ask("resize 0")
        if answer["unevictableBytes"] > 65536:
            raise Failed(f"more than what hangs is held: {answer}")
        agent.ask("resize 4194304")
        third = Program(work, name, agent, "write-back", folders)
        third.do(f"open 0 {other}")
        same("a file elsewhere", third.read(0, 0, 200000), bytes([10 + turn]) * 200000)
        third.do("close 0")
        third.end()
    control.mend()
    programs[0].do("sync 0")
    hung_reader(work, name, agent, control, backing, folders, programs[0])
    # An agent that finds dirty blocks, and opens their file by its path.
    agent.arguments = ["--dirty-age", "3600000"]
    agent.stop()
    agent.start("--capacity", "4194304")
    programs[0].do("write 0 0 65536 2")
    agent.kill()
    control.fail("open", Control.HANG)
    agent.arguments = ["--dirty-age", "100"]
    agent.start("--capacity", "4194304")
    time.sleep(0.5)
    agent.ask("resize 0")
    agent.ask("resize 4194304")
    control.mend()
    programs[0].do("sync 0")
    same("the file that hung", content(os.path.join(backing, "file"))[:65536], b"\2" * 65536)
    for program in programs:
        program.do("close 0")
        program.end()
    agent.stop()


def hung_reader(work, name, agent, control, backing, folders, reader):
    """Who opens a file of which a reader waits may have to wait for it, too, but nobody else."""
    hung, other = work.at("cached/file"), work.at("plain/file")
    openers = [Program(work, name, agent, "write-back", folders) for _ in range(3)]
    put(os.path.join(backing, "file"), 5, 300000, MIB)
    control.fail("read", Control.HANG)
    reader.start(f"read 0 {MIB} 65536")
    processes.wait_until(lambda: control.ended("read") > 0, "the reader waits")
    openers[0].start(f"open 0 {hung}")
    processes.wait_until(openers[0].waits_for_lock, "an open of the file waits")
    openers[1].do(f"open 0 {other}")
    put(other, 7)
    openers[2].do(f"open 0 {other}")
    same("a file elsewhere", openers[2].read(0, 0, 200000), b"\7" * 200000)
    openers[1].do(f"create 1 {work.at('plain/new')}")
    openers[1].do(f"delete {work.at('plain/new')}")
    agent.ask("resize 0")
    agent.ask("resize 4194304")
    control.mend()
    answers = reader.answer(), openers[0].answer()
    if answers != ("65536x5", "ok"):
        raise Failed(f"a read and an open that had to wait: {answers}")
    same("the file that hung", openers[0].read(0, MIB, 300000), b"\5" * 300000)
    openers[1].do("close 1")
    for opener in openers:
        opener.do("close 0")
        opener.end()


def hung_writer(work, name, control, backing):
    """What another program opens and loads while a write hangs is not read any more when that has returned. It has changed the file before,
    so that the open begins to cache it anew."""
    file = work.at("cached/written")
    put(os.path.join(backing, "written"), 5, 2 * 65536)
    agent = work.agent("written").start("--capacity", "4194304")
    writer, other = [Program(work, name, agent, "write-through", work.at("cached")) for _ in range(2)]
    writer.do(f"open 0 {file}")
    for offset, length in ((0, 65536), (65536, 100)):
        same("before the write", writer.read(0, offset, length), b"\5" * length)
        writer.do(f"write 0 {offset} {length} 6")
        before = control.ended("write")
        control.fail("write", Control.HANG)
        writer.start(f"write 0 {offset} {length} 7")
        processes.wait_until(lambda: control.ended("write") > before, "the writer waits")
        other.do(f"open 0 {file}")
        other.read(0, offset, length)
        control.mend()
        if writer.answer() != "ok":
            raise Failed("a write that had to wait has failed")
        for program in (writer, other):
            same("what was written", program.read(0, offset, length), b"\7" * length)
        other.do("close 0")
    for program in (writer, other):
        program.end()
    agent.stop()


def errors(options):
    for mpi in options.mpi:
        for mode in MODES:
            for case in CASES:
                one_case(options, mpi, mode, case)
            print(f"errors: {mpi}, {mode}: {len(CASES)} cases as they should be", flush=True)
    hanging(options)


def one_case(options, mpi, mode, case):
    label = f"errors: {mpi}, {mode}, {case}"
    with Workplace(options.build) as work, failing_file_system(work) as (backing, control):
        file = os.path.join(backing, "file")
        with open(file, "wb") as to:
            to.write(random.Random(options.seed).randbytes(FILE_BYTES))
        agent = work.agent(max_bytes=FILE_BYTES * 2).start("--capacity", str(FILE_BYTES * 2))
        program = [f"{work.build}/errors-{mpi}", case, work.at("cached/file"), file, control]
        ranks = work.start_ranks(mpi, [(2, work.settings(agent, mode), program)])
        status = processes.wait(ranks, 60, "the MPI program")
        if (status == 0) == (case == "fatal"):
            raise Failed(f"{label}: it has ended with {status}")
        if case != "fatal":
            agent.stop()
