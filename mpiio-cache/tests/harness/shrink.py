"""Suite shrink: how fast a busy cache gives its memory back, and whether it tells exactly what it cannot give yet."""

import contextlib
import os
import struct
import subprocess
import time

from . import processes
from .agent import MIB
from .processes import Failed
from .workplace import Workplace

PART_BYTES = 64 << 10
READERS = 2


def shrink(options):
    clean_blocks(options, 1024 * MIB, "1MiB", "pages of 4 KiB")
    if os.geteuid() == 0:
        clean_blocks(options, 1024 * MIB, "2MiB", "huge pages")
    dirty_blocks(options)
    nobody_asks(options)


def nobody_asks(options):
    """Silence gives the memory back, also of an agent that has taken over a capacity and was never asked for one."""
    with Workplace(options.build) as work:
        agent = work.agent(max_bytes=64 * MIB, arguments=["--control-timeout", "1000"]).start()
        agent.ask(f"resize {64 * MIB}")
        agent.kill()
        taken_over = agent.start().ask("status")["capacityBytes"]
        time.sleep(3)
        left = agent.ask("status")["capacityBytes"]
        if (taken_over, left) != (64 * MIB, 0):
            raise Failed(f"shrink: an agent took over {taken_over} bytes, and has {left} after 3 s of silence")
        print("shrink: an agent that nobody asks goes down to its --rest", flush=True)


def make_file(path, size):
    """Each part begins with its number."""
    with open(path, "wb") as file:
        for number in range(size // PART_BYTES):
            file.write(struct.pack("=Q", number).ljust(PART_BYTES, b"\0"))


def clean_blocks(options, size, block, pages):
    with Workplace(options.build) as work, tmpfs(work.at("memory"), pages == "huge pages") as memory:
        path = work.at("cached/file")
        make_file(path, size)
        agent = work.agent(os.path.join(memory, "node"), max_bytes=size, block=block).start("--capacity", str(size))
        work.run([f"{options.build}/mpiio-fill", agent.directory, path], 60)
        full = agent.ask("status")
        calm = readers(work, agent, path, lambda: None)
        busy = readers(work, agent, path, lambda: resize_to_nothing(agent))
        left = agent.ask("status")
        if full["usedBytes"] != size or left["usedBytes"] != 0:
            raise Failed(f"shrink: before {full}, after {left}")
        # A reader that was stopped in the middle of a copy may touch pages that are gone; the agent gives them back within a tick.
        offset = data_offset(os.path.join(memory, "node/arena"))
        processes.wait_until(lambda: agent.ask("status")["residentBytes"] <= offset, "all memory is given back")
        print(f"shrink: {pages}: {size // MIB} MiB of clean blocks to 0 in {busy[0] * 1000:.0f} ms and {busy[3]} requests, with {READERS} readers;"
              f" their longest read was {busy[2] / 1e6:.1f} ms, and {calm[2] / 1e6:.1f} ms without a resize", flush=True)


@contextlib.contextmanager
def tmpfs(path, huge):
    """A directory in memory, with huge pages in a mount of its own."""
    os.mkdir(path)
    if not huge:
        yield path
        return
    subprocess.run(["mount", "-t", "tmpfs", "-o", "huge=within_size,size=2g", "tmpfs", path], check=True)
    try:
        yield path
    finally:
        processes.end_all()
        subprocess.run(["umount", "--lazy", path], check=True)


def data_offset(path):
    """What the arena's file takes besides blocks."""
    # magic, layout, block, sets, ways, then four offsets
    with open(path, "rb") as file:
        return struct.unpack_from("=QIIIIQQQQ", file.read(64))[8]


def resize_to_nothing(agent):
    time.sleep(0.5)
    begin = time.monotonic()
    requests = 1
    while not agent.ask("resize 0")["reached"]:
        requests += 1
    return time.monotonic() - begin, requests


def readers(work, agent, path, meanwhile):
    """Returns how long the disturbance took, the reads, the longest one, and the requests."""
    running = [subprocess.Popen([f"{work.build}/reader", agent.directory, path, "2", str(seed)], stdout=subprocess.PIPE, text=True)
               for seed in range(READERS)]
    seconds, requests = meanwhile() or (0, 0)
    reads = longest = 0
    for process in running:
        output, _ = process.communicate(timeout=60)
        if process.returncode != 0:
            raise Failed(f"a reader has ended with {process.returncode}")
        count, nanos = map(int, output.split())
        reads, longest = reads + count, max(longest, nanos)
    return seconds, reads, longest, requests


def dirty_blocks(options):
    """Dirty blocks whose file system takes nothing at first, and then little."""
    size = 16 * MIB
    with Workplace(options.build) as work:
        path, blocked = work.at("cached/file"), work.at("blocked")
        make_file(path, 2 * size)
        environment = {"LD_PRELOAD": f"{options.build}/libslow-writes.so", "SLOW_WRITES_MICROS": "2000", "SLOW_WRITES_BLOCKED": blocked}
        agent = work.agent(max_bytes=2 * size, block="64KiB", arguments=["--dirty-age", "1000000"], environment=environment)
        agent.start("--capacity", str(2 * size))
        with open(blocked, "wb"):
            pass
        # Clean blocks of the whole file, then as many dirty ones as writers may leave.
        work.run([f"{options.build}/mpiio-fill", agent.directory, path], 60)
        os.truncate(path, size // 4)
        work.run([f"{options.build}/mpiio-fill", agent.directory, path, "--write"], 60)
        dirty = agent.ask("status")["dirtyBytes"]
        agent.ask("resize 0")
        processes.wait_until(lambda: agent.ask("resize 0")["usedBytes"] == dirty, "all clean blocks are given back")
        status = agent.ask("status")
        if dirty != size // 4 or status["unevictableBytes"] != dirty:
            raise Failed(f"shrink: {dirty} dirty bytes: {status}")
        os.remove(blocked)
        begin, last = time.monotonic(), dirty
        while not (status := agent.ask("resize 0"))["reached"]:
            if status["unevictableBytes"] > last or time.monotonic() > begin + 60:
                raise Failed(f"shrink: {last} bytes could not be evicted, and then {status}")
            last = status["unevictableBytes"]
        print(f"shrink: {dirty // MIB} MiB of dirty blocks were told as such; on a file system of 2 ms a write they were gone in"
              f" {time.monotonic() - begin:.1f} s; one write after the other takes {dirty / PART_BYTES * 0.002:.1f} s", flush=True)
