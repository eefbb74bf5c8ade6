"""Suite life: what an agent meets in a long life: programs that are stopped or killed in any state, no descriptors, full file systems, other
boots and versions; and what it leaves at its end."""

import contextlib
import errno
import os
import random
import re
import signal
import socket
import struct
import subprocess
import threading
import time

from . import fuzz, mpi, processes
from .agent import MIB
from .errors import Control, failing_file_system
from .processes import Failed
from .program import Program, content, put, same
from .workplace import Workplace

BLOCK_BYTES = 64 * 1024
BLOCKS = 64
NEVER_MILLIS = "3600000"
# As the agent has it.
PREFETCHES = 8


def life(options):
    chance = random.Random(options.seed)
    for number, case in enumerate(CASES):
        begin = time.monotonic()
        with Workplace(options.build) as work:
            try:
                skipped = case(work, options.mpi[number % len(options.mpi)], chance)
            except Failed as failure:
                raise Failed(f"life: {case.__name__}: {failure}") from failure
        print(f"life: {case.__name__}: {skipped or 'as it should be'} ({time.monotonic() - begin:.1f} s)", flush=True)
    until = time.monotonic() + options.seconds
    while time.monotonic() < until:
        with Workplace(options.build) as work:
            stopped_at_random(work, chance)
    print("life: programs stopped at random did not keep the memory", flush=True)


def run(work, *arguments, status=0):
    """tests/life.c. Returns what it prints."""
    # A sanitizer leaves the signal to what is tested.
    environment = dict(os.environ, **mpi.SANITIZERS)
    environment["ASAN_OPTIONS"] += ":handle_sigbus=0"
    ended = subprocess.run([os.path.join(work.build, "life"), *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False,
                           env=environment)
    if ended.returncode != status:
        raise Failed(f"life {arguments[0]} has ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    return ended.stdout.strip()


def filled(work, blocks=BLOCKS, arguments=(), directory=None):
    """An agent, and a file of which every block is cached."""
    agent = work.agent(**({"name": directory} if directory else {}), max_bytes=blocks * BLOCK_BYTES, arguments=arguments)
    agent.start("--capacity", str(agent.max_bytes))
    path = work.at("plain/file")
    put(path, 1, blocks * BLOCK_BYTES)
    # A file this young may change once more without a trace, so that nothing of it stays cached for the next program.
    time.sleep(0.05)
    work.run([f"{work.build}/mpiio-fill", agent.directory, path], 60)
    return agent, path


@contextlib.contextmanager
def holding(work, what, agent, path, block):
    """A process that is stopped while it has a lock."""
    with subprocess.Popen([os.path.join(work.build, "life"), what, agent.directory, path, str(block)], stdout=subprocess.PIPE,
                          text=True) as process:
        try:
            if process.stdout.readline() != "holds\n":
                raise Failed(f"{what} does not hold a lock")
            yield
        finally:
            process.kill()


def shrink(agent, left):
    """All but so many blocks come back at once."""
    processes.wait_until(lambda: agent.ask("resize 0")["usedBytes"] <= left * BLOCK_BYTES, f"all memory but {left} blocks is given back")
    return agent.ask("status")


def stopped_in_set(work, name, chance):
    """A31: a program that is stopped with a set's lock keeps none of its blocks."""
    agent, path = filled(work)
    with holding(work, "hold-set", agent, path, 1):
        shrink(agent, 0)
    agent.stop()


def stopped_in_slot(work, name, chance):
    """A31: a program that is stopped with a block's lock keeps that one, and the agent says so; it comes back for it."""
    agent, path = filled(work)
    with holding(work, "hold-slot", agent, path, 1):
        status = shrink(agent, 1)
        if (status["unevictableBytes"], status["heldBytes"]) != (BLOCK_BYTES, BLOCK_BYTES):
            raise Failed(f"a block is held: {status}")
    if shrink(agent, 0)["unevictableBytes"] != 0:
        raise Failed("nothing is held any more")
    agent.stop()


def stopped_in_dirty_slot(work, name, chance):
    """A31: nor does it keep other dirty blocks of its file, nor the agent from ending."""
    agent, path = filled(work, arguments=["--dirty-age", NEVER_MILLIS])
    work.run([f"{work.build}/mpiio-fill", agent.directory, path, "--write"], 60)
    dirty = agent.ask("status")["dirtyBytes"]
    with holding(work, "hold-slot", agent, path, 1):
        shrink(agent, 1)
        if dirty < BLOCK_BYTES * 16:
            raise Failed(f"only {dirty} bytes were dirty")
        agent.process.send_signal(signal.SIGTERM)
        status = agent.process.wait(30)
        said = agent.tail()
        if status != 1 or f"{path}: {BLOCK_BYTES} bytes are not written" not in said:
            raise Failed(f"with a block that is held, the agent ends with {status}: {said}")
    agent.start()
    processes.wait_until(lambda: agent.ask("status")["dirtyBytes"] == 0, "the next agent writes what was held")
    same("the file", content(path)[:BLOCK_BYTES * 16], bytes(BLOCK_BYTES * 16))
    agent.stop()


def stopped_at_random(work, chance):
    """Programs that read and write are stopped wherever they are: each keeps a block or two, and only until it goes on."""
    blocks, programs = 256, 6
    agent = work.agent(max_bytes=blocks * BLOCK_BYTES, arguments=["--dirty-age", "20"]).start("--capacity", str(blocks * BLOCK_BYTES))
    paths = [work.at(f"plain/file{number}") for number in range(programs)]
    for path in paths:
        put(path, 1, blocks * BLOCK_BYTES)
    running = [subprocess.Popen([f"{work.build}/mpiio-fill", agent.directory, path, "--loop", *(["--write"] if number % 2 == 0 else [])])
               for number, path in enumerate(paths)]
    try:
        for _ in range(4):
            time.sleep(chance.uniform(0.1, 0.4))
            for process in running:
                process.send_signal(signal.SIGSTOP)
            shrink(agent, 2 * programs)
            processes.wait_until(lambda: held_alone(agent.ask("resize 0")), "all is given back but what the status says is held")
            agent.ask(f"resize {blocks * BLOCK_BYTES}")
            for process in running:
                process.send_signal(signal.SIGCONT)
        if any(process.poll() is not None for process in running):
            raise Failed("a program has ended")
    finally:
        for process in running:
            process.kill()
            process.wait()
    shrink(agent, 0)
    agent.stop()


def held_alone(status):
    return status["usedBytes"] == status["unevictableBytes"]


def killed_while_dirtying(work, name, chance):
    """A33: a block that was counted as dirty, and is not, is not counted for ever."""
    for restarts in (False, True):
        agent, path = filled(work, directory=f"node{restarts}")
        if restarts:
            agent.kill()
        run(work, "killed-dirtying", agent.directory, path, 1, status=-signal.SIGKILL)
        if int(run(work, "dirty", agent.directory, path)) != 1:
            raise Failed("the block was not counted")
        if restarts:
            agent.start()
        processes.wait_until(lambda: run(work, "dirty", agent.directory, path) == "0", "the dirty blocks are counted again")
        agent.stop()


def counters_grow(work, name, chance):
    """A30: what was counted of a file stays counted when another one gets its entry."""
    agent = work.agent().start("--capacity", str(4 * MIB))
    program = Program(work, name, agent, "write-through", work.at("cached"))
    path = work.at("cached/temporary")
    before = agent.ask("status")
    for number in range(1400):
        program.do(f"create 0 {path}")
        program.do("write 0 0 8192 1")
        program.read(0, 0, 8192)
        program.read(0, 8192, 1)
        program.do("close 0")
        program.do(f"delete {path}")
        if number % 20 == 0:
            now = agent.ask("status")
            for counter in ("hits", "misses", "hitBytes", "missBytes", "bypassedReads"):
                if now[counter] < before[counter]:
                    raise Failed(f"{counter} was {before[counter]}, and is {now[counter]} after {number} files")
            before = now
    if before["hits"] < 1300:
        raise Failed(f"too few hits: {before}")
    program.end()
    agent.stop()


def limited(work, agent, limit):
    """The agent's program with limits of its descriptors."""
    script = work.at("limited")
    with open(script, "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\nexec prlimit --nofile={limit} {agent.program} \"$@\"\n")
    os.chmod(script, 0o755)
    agent.program = script
    return agent


def cpu_seconds(agent):
    with open(f"/proc/{agent.process.pid}/stat", encoding="ascii") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def few_descriptors(work, name, chance):
    """A29: a soft limit is raised, and where descriptors run out, programs go on by write-through, until there are some again."""
    agent = limited(work, work.agent(arguments=["--dirty-age", "50"]), "40:400").start("--capacity", str(4 * MIB))
    program = Program(work, name, agent, "write-back", work.at("cached"))
    paths = [work.at(f"cached/file{number}") for number in range(60)]
    for number, path in enumerate(paths):
        program.do(f"create {number} {path}")
        program.do(f"write {number} 0 10000 {number + 1}")
    if len([file for file in agent.ask("files")["files"] if file["openers"] == 1]) != len(paths):
        raise Failed("with the hard limit all files are registered")
    program.end()
    agent.stop()
    agent.program = os.path.join(work.build, "dynims-mpiio-agent")
    limited(work, agent, "64:64").start("--capacity", str(4 * MIB))
    program = Program(work, name, agent, "write-back", work.at("cached"))
    for number, path in enumerate(paths):
        program.do(f"open {number} {path}")
        program.do(f"write {number} 0 10000 {number + 2}")
    others = [Program(work, name, agent, "write-back", work.at("cached")) for _ in range(4)]
    for number, other in enumerate(others):
        other.do(f"open 0 {paths[number]}")
        other.do(f"write 0 20000 10000 {number + 100}")
    before = cpu_seconds(agent)
    time.sleep(1)
    if cpu_seconds(agent) - before > 0.4:
        raise Failed(f"without descriptors the agent uses {cpu_seconds(agent) - before:.2f} s of a second")
    processes.wait_until(lambda: agent.ask("status")["dirtyBytes"] == 0, "what is dirty is written")
    for number, path in enumerate(paths):
        wanted = bytes([number + 2]) * 10000 + (bytes(10000) + bytes([number + 100]) * 10000 if number < len(others) else b"")
        same(f"file {number}", content(path), wanted)
    if "descriptors" not in agent.tail():
        raise Failed(f"the agent says nothing of its descriptors: {agent.tail()}")
    for number in range(len(paths)):
        program.do(f"close {number}")
    # They are registered again with their writes, one a second at most.
    until = time.monotonic() + processes.GIVE_UP_SECONDS
    while True:
        for other in others:
            other.do("write 0 0 100 7")
        registered = [file["path"] for file in agent.ask("files")["files"] if file["openers"] == 1]
        if sorted(registered) == sorted(paths[:len(others)]):
            break
        if time.monotonic() > until:
            raise Failed(f"with free descriptors only {registered} are registered")
        time.sleep(0.2)
    for other in others:
        other.end()
    program.end()
    agent.stop()


def gone_on_full_file_system(work, name, chance):
    """A28: a reader whose block is given back meanwhile, on a file system that is full by then, goes on."""
    if os.geteuid() != 0:
        return "not shown: needs root"
    os.mkdir(work.at("memory"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", work.at("memory")], check=True)
    try:
        agent, path = filled(work, directory="memory/node")
        said = run(work, "gone", agent.directory, path, 3, work.at("memory/filler"))
        if said != f"not copied, then read {BLOCK_BYTES} bytes, the first is 1":
            raise Failed(f"a reader says: {said}")
    finally:
        processes.end_all()
        subprocess.run(["umount", "--lazy", work.at("memory")], check=True)
    return None


def foreign_faults(work, name, chance):
    """A28: faults that have nothing to do with the arena end a program, or reach its own handler, as before."""
    path = work.at("other")
    for how, status, text in (("default", -signal.SIGBUS, ""), ("handler", 5, "the program's own handler")):
        put(path, 1, 4096)
        if run(work, "foreign-fault", path, how, status=status) != text:
            raise Failed(f"a fault elsewhere, {how}")


def change(path, at, form, value):
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(struct.pack(form, value))


def another_version(work, name, chance):
    """A32: an arena of another version is not replaced while programs use it, as nobody could make it smaller."""
    agent = work.agent().start("--capacity", str(4 * MIB))
    put(work.at("cached/file"), 1)
    program = Program(work, name, agent, "write-through", work.at("cached"))
    program.do(f"open 0 {work.at('cached/file')}")
    program.read(0, 0, 65536)
    agent.kill()
    arena = work.at("node/arena")
    change(arena, 8, "=I", 1)
    inode = os.stat(arena).st_ino
    try:
        agent.start("--recreate")
    except Failed as refusal:
        if "programs use it" not in str(refusal) or os.stat(arena).st_ino != inode:
            raise
    else:
        raise Failed("an agent has made a second arena beside one that a program uses")
    program.kill()
    agent.start("--recreate")
    agent.stop()


def another_boot(work, name, chance):
    """A27: what was left from before the machine was started is made again, by no option, and programs do not use it meanwhile."""
    agent, path = filled(work)
    agent.kill()
    arena = work.at("node/arena")
    with open("/proc/sys/kernel/random/boot_id", "rb") as file:
        this_boot = file.read().strip()
    with open(arena, "r+b") as file:
        header = file.read(4096)
        if this_boot not in header:
            raise Failed("the arena does not say of which boot it is")
        file.seek(header.index(this_boot))
        file.write(b"0" * len(this_boot))
    text = subprocess.run([f"{work.build}/mpiio-fill", agent.directory, path], capture_output=True, text=True, check=False)
    if text.returncode == 0:
        raise Failed("a program uses an arena of another boot")
    status = agent.start("--capacity", str(agent.max_bytes)).ask("status")
    if status["usedBytes"] != 0 or "before this machine was started" not in agent.tail():
        raise Failed(f"an arena of another boot was taken over: {status}")
    agent.stop()


def monitored(work, name, chance):
    """Who only looks does not control the cache."""
    agent = work.agent(max_bytes=4 * MIB, arguments=["--control-timeout", "500"]).start()
    child = os.fork()
    if child == 0:
        agent.ask(f"resize {4 * MIB}")
        os._exit(0)
    os.waitpid(child, 0)
    if agent.ask("status")["capacityBytes"] != 4 * MIB:
        raise Failed("the capacity was not set")
    processes.wait_until(lambda: agent.ask("status")["capacityBytes"] == 0, "the cache goes down although a monitor asks for its status")
    # Who asks for a capacity keeps it by its other requests, as long as those come in time; on a busy machine one may not.
    asked = time.monotonic()
    agent.ask(f"resize {4 * MIB}")
    kept = 0
    while kept < 20:
        before, asked = asked, time.monotonic()
        capacity = agent.ask("status")["capacityBytes"]
        if time.monotonic() - before > 0.5:
            agent.ask(f"resize {4 * MIB}")
        elif capacity == 4 * MIB:
            kept += 1
        else:
            raise Failed("an adapter that asks has lost its capacity")
        time.sleep(0.1)
    agent.stop()


def truncated_before_sync(work, name, chance):
    """A sync writes blocks behind an end that another program has just set."""
    agent, path = filled(work, arguments=["--dirty-age", NEVER_MILLIS])
    run(work, "truncated-sync", agent.directory, path)
    agent.stop()


def many_prefetches(work, name, chance):
    """Who asks for more than is loaded at once learns it."""
    with failing_file_system(work) as (backing, path):
        control = Control(path)
        agent = work.agent().start("--capacity", str(4 * MIB))
        put(os.path.join(backing, "file"), 1)
        file = work.at("cached/file")
        work.run([f"{work.build}/mpiio-fill", agent.directory, file], 60)
        agent.ask("resize 0")
        agent.ask(f"resize {4 * MIB}")
        number = fuzz.known_file(agent, file)
        control.fail("read", Control.HANG)
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection, open(file, "rb") as opened:
                connection.settimeout(10)
                connection.connect(os.path.join(agent.directory, "agent.sock"))
                found = []
                for request, rights in [(1, [opened.fileno()])] + [(3, [])] * (PREFETCHES + 2):
                    message = struct.pack("=QIIII16sQQ", fuzz.arena_id(agent), request, number, 1, 0, bytes(16), 0, 2 ** 40)
                    found.append(struct.unpack("=i", fuzz.ask_rank(connection, message, rights))[0])
            if found != [0] * (PREFETCHES + 1) + [errno.EAGAIN] * 2:
                raise Failed(f"answers to an open and {PREFETCHES + 2} prefetches: {found}")
        finally:
            control.mend()
        agent.stop()


def prefetch_past_full_sets(work, name, chance):
    """Blocks whose set is full keep no others from being loaded ahead."""
    agent, path = filled(work)
    other = work.at("plain/other")
    put(other, 2, BLOCKS * BLOCK_BYTES)
    time.sleep(0.05)
    work.run([f"{work.build}/mpiio-fill", agent.directory, other], 60)
    number = fuzz.known_file(agent, other)
    shrink(agent, 0)
    agent.ask(f"resize {agent.max_bytes}")
    # Consecutive blocks are in the two sets in turn.
    program = Program(work, name, agent, "write-through", work.at("plain"))
    program.do(f"open 0 {path}")
    for block in range(0, BLOCKS, 2):
        program.read(0, block * BLOCK_BYTES, BLOCK_BYTES)
    if agent.ask("status")["usedBytes"] != BLOCKS // 2 * BLOCK_BYTES:
        raise Failed(f"half of the blocks are used: {agent.ask('status')}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection, open(other, "rb") as opened:
        connection.settimeout(10)
        connection.connect(os.path.join(agent.directory, "agent.sock"))
        for request, rights in ((1, [opened.fileno()]), (3, [])):
            message = struct.pack("=QIIII16sQQ", fuzz.arena_id(agent), request, number, 1, 0, bytes(16), 0, 2 ** 40)
            fuzz.ask_rank(connection, message, rights)
        processes.wait_until(lambda: agent.ask("status")["usedBytes"] == BLOCKS * BLOCK_BYTES, "the other set is filled")
    program.do("close 0")
    program.end()
    agent.stop()


def stopped_agent(work, name, chance):
    """A24: another node's request is answered although the agent was stopped while it came."""
    agent = work.agent(arguments=["--listen", "127.0.0.1:0"]).start("--capacity", str(4 * MIB))
    with socket.socket() as connection:
        connection.settimeout(10)
        connection.connect(("127.0.0.1", fuzz.peer_port(agent)))
        request = struct.pack(">IIQ16s", fuzz.PEER_MAGIC, 100, 0, b"an unknown file.")
        for part in (request[:10], request[10:]):
            connection.sendall(part)
            time.sleep(0.1)
            agent.process.send_signal(signal.SIGSTOP)
            time.sleep(0.1)
            agent.process.send_signal(signal.SIGCONT)
        if connection.recv(8) != struct.pack(">q", -1):
            raise Failed("another node has no answer")
    agent.stop()


def dirty(work, name, agent, paths):
    """A program that is killed with dirty blocks in files."""
    program = Program(work, name, agent, "write-back", work.at("cached"))
    for number, path in enumerate(paths):
        program.do(f"create {number} {path}")
        program.do(f"write {number} 0 10000 {number + 1}")
    program.kill()


def flush(work, agent, seconds):
    ended = subprocess.run([os.path.join(work.build, "dynims-mpiio-agent"), "--flush", agent.directory, "--seconds", str(seconds)], capture_output=True,
                           text=True, timeout=60, check=False)
    return ended.returncode, ended.stderr


def epilog(work, name, chance):
    """A job's epilog waits until everything is written, and learns what could not be."""
    with failing_file_system(work) as (backing, path):
        control = Control(path)
        agent = work.agent(max_bytes=8 * MIB, arguments=["--dirty-age", NEVER_MILLIS]).start("--capacity", str(8 * MIB))
        paths = [work.at(f"cached/file{number}") for number in range(40)]
        dirty(work, name, agent, paths)
        if agent.ask("status")["dirtyBytes"] == 0:
            raise Failed("nothing is dirty")
        if flush(work, agent, 5) != (0, "") or agent.ask("status")["dirtyBytes"] != 0:
            raise Failed("a flush of what can be written")
        for number, each in enumerate(paths):
            same(each, content(os.path.join(backing, os.path.basename(each))), bytes([number + 1]) * 10000)
        for number in range(len(paths)):
            os.unlink(paths[number])
        dirty(work, name, agent, paths[:2])
        control.fail("write", errno.ENOSPC)
        failed = flush(work, agent, 1)
        lines = [rf".*{paths[number]}: 10000 bytes are not written: No space left on device\n" for number in range(2)]
        wanted = re.compile("(" + "|".join(lines) + "){2}")
        if failed[0] != 1 or not wanted.fullmatch(failed[1]):
            raise Failed(f"a flush to a full file system: {failed}")
        agent.process.send_signal(signal.SIGTERM)
        ended = agent.process.wait(30)
        if ended != 1 or not wanted.search(agent.tail()):
            raise Failed(f"an agent that cannot write ends with {ended}: {agent.tail()}")
        failed = flush(work, agent, 5)
        if failed[0] != 1 or "no agent runs" not in failed[1]:
            raise Failed(f"a flush without an agent: {failed}")
        control.mend()
        # What hangs is not waited for for ever.
        agent.start("--seconds", "1", "--capacity", str(8 * MIB))
        if flush(work, agent, 5) != (0, ""):
            raise Failed("a flush by the next agent")
        dirty(work, name, agent, paths[2:3])
        control.fail("write", Control.HANG)
        failed = flush(work, agent, 1)
        if failed[0] != 1 or "file2: 10000 bytes are not written" not in failed[1]:
            raise Failed(f"a flush to a file system that hangs: {failed}")
        agent.process.send_signal(signal.SIGTERM)
        processes.wait_until(lambda: "file2: 10000 bytes are not written" in agent.tail(), "an agent that ends says what hangs")
        # FUSE lets no process end that waits for it.
        control.mend()
        ended = agent.process.wait(30)
        if ended != 1:
            raise Failed(f"an agent whose file system hangs ends with {ended}: {agent.tail()}")
        agent.start("--capacity", str(8 * MIB))
        if flush(work, agent, 5) != (0, ""):
            raise Failed("a flush after all is well again")
        agent.stop()
        if flush(work, agent, 5) != (0, ""):
            raise Failed("a flush after the agent has ended well")


def many_files_at_the_end(work, name, chance):
    """An agent that ends writes all files, however many."""
    agent = work.agent(max_bytes=8 * MIB, arguments=["--dirty-age", NEVER_MILLIS]).start("--capacity", str(8 * MIB))
    paths = [work.at(f"cached/file{number}") for number in range(60)]
    dirty(work, name, agent, paths)
    agent.stop()
    for number, each in enumerate(paths):
        same(each, content(each), bytes([number + 1]) * 10000)


def ends_while_written(work, name, chance):
    """An agent that ends while programs write loses nothing, and reports nothing as lost; also one that leaves them a cache."""
    for rest in (0, MIB):
        agent = work.agent(f"rest-{rest}", max_bytes=MIB, arguments=["--dirty-age", NEVER_MILLIS, "--rest", str(rest)])
        agent.start("--capacity", str(MIB))
        writers = [Writer(work, name, agent, work.at(f"cached/{rest}-{number}")) for number in range(4)]
        for _ in range(40):
            time.sleep(chance.uniform(0, 0.02))
            agent.stop()
            agent.start("--capacity", str(MIB))
        for writer in writers:
            writer.end()
        agent.stop()


def recreated_while_written(work, name, chance):
    """An agent takes the place of one with another arena while programs write without end; nothing is lost."""
    for round in range(3):
        agent = work.agent(f"recreated-{round}", max_bytes=MIB, arguments=["--dirty-age", NEVER_MILLIS])
        agent.start("--capacity", str(MIB))
        writers = [Writer(work, name, agent, work.at(f"cached/recreated-{round}-{number}")) for number in range(4)]
        time.sleep(chance.uniform(0.05, 0.2))
        agent.kill()
        agent.max_bytes = 2 * MIB
        agent.start("--recreate", "--capacity", str(2 * MIB))
        time.sleep(chance.uniform(0, 0.1))
        for writer in writers:
            writer.end()
        agent.stop()


def killed_while_it_recreates(work, name, chance):
    """An agent that dies while it waits for the last bytes of an arena leaves one that the next agent can use as it is."""
    agent, path = filled(work, arguments=["--dirty-age", NEVER_MILLIS])
    work.run([f"{work.build}/mpiio-fill", agent.directory, path, "--write"], 60)
    agent.kill()
    with holding(work, "hold-slot", agent, path, 1):
        agent.max_bytes *= 2
        killer = threading.Timer(1, lambda: agent.process.kill())
        killer.start()
        try:
            agent.start("--recreate")
        except Failed:
            killer.join()
        else:
            raise Failed("an arena was replaced while a stopped program holds dirty bytes in it")
    agent.max_bytes //= 2
    agent.start("--rest", str(agent.max_bytes))
    work.run([f"{work.build}/mpiio-fill", agent.directory, path], 60)
    used = agent.ask("status")["usedBytes"]
    if used < agent.max_bytes // 2:
        raise Failed(f"an arena that was to be replaced caches {used} bytes only")
    agent.stop()


class Writer:
    """Writes parts of a file one after the other until it is ended; then the file has the last one of each."""

    BLOCKS = 4

    def __init__(self, work, name, agent, path):
        self.path = path
        self.program = Program(work, name, agent, "write-back", work.at("cached"))
        self.program.do(f"create 0 {path}")
        self.is_ended = threading.Event()
        self.failure = None
        self.written = 0
        self.thread = threading.Thread(target=self.write)
        self.thread.start()

    def write(self):
        try:
            while not self.is_ended.is_set():
                self.program.do(f"write 0 {self.written % self.BLOCKS * BLOCK_BYTES} 100 {self.written // self.BLOCKS % 255 + 1}")
                self.written += 1
        except Failed as failure:
            self.failure = failure

    def end(self):
        self.is_ended.set()
        self.thread.join()
        if self.failure:
            raise self.failure
        self.program.do("close 0")
        self.program.end()
        found = content(self.path)
        for number in range(self.written - self.BLOCKS, self.written):
            at = number % self.BLOCKS * BLOCK_BYTES
            same(f"write {number}", found[at:at + 100], bytes([number // self.BLOCKS % 255 + 1]) * 100)


def sizes(work, name, chance):
    """As policies and adapters take them, and as people write them."""
    for text, wanted in (("4Mi", 4 * MIB), ("4.5MiB", 4 * MIB + MIB // 2), ("0.004Gi", 4 * MIB), ("5M", 5000000 // 65536 * 65536), ("4096KiB", 4 * MIB)):
        agent = work.agent(f"sized-{text}", max_bytes=text).start("--capacity", text)
        taken = agent.ask("status")["maxBytes"]
        agent.stop()
        if taken != wanted:
            raise Failed(f"life: {name}: {text} is {taken}, and not {wanted} bytes")
    for text in ("4MB", "1e6", "-4Mi", "4 Mi", "0x10", "nan", "99999999Ti", "4KIB", "", ".", "4.5.5M"):
        ended = subprocess.run([agent.program, "--directory", agent.directory, "--max", text], capture_output=True, text=True, check=False, timeout=60)
        if ended.returncode != 2 or "is not a number of bytes" not in ended.stderr:
            raise Failed(f"life: {name}: {text!r}: {ended.returncode}, {ended.stderr}")


CASES = (sizes, stopped_in_set, stopped_in_slot, stopped_in_dirty_slot, killed_while_dirtying, counters_grow, few_descriptors, gone_on_full_file_system,
         foreign_faults, another_version, another_boot, monitored, truncated_before_sync, many_prefetches, prefetch_past_full_sets, stopped_agent, epilog, many_files_at_the_end,
         ends_while_written, recreated_while_written, killed_while_it_recreates)
