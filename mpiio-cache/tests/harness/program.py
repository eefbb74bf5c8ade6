"""A program of one rank that does what it is asked to, and what files ought to have."""

import mmap
import os
import re
import select
import subprocess

from . import mpi, processes
from .processes import Failed


ANSWER_SECONDS = 60


class Program:
    """tests/script.c, which answers each line."""

    def __init__(self, work, name, agent, mode, folder, directory=None):
        environment = mpi.environment(work.build, name, work.settings(agent, mode, paths=folder))
        with open(work.output, "ab") as log:
            self.process = subprocess.Popen([f"{work.build}/script-{name}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                            env=work.alone(environment), text=True, cwd=directory)

    def start(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failed(f"{line}: the program {processes.state_of(self.process)}") from None

    def answer(self):
        if not select.select([self.process.stdout], [], [], ANSWER_SECONDS)[0]:
            raise Failed(f"the program does not answer within {ANSWER_SECONDS} s")
        line = self.process.stdout.readline()
        if not line:
            raise Failed(f"the program {processes.state_of(self.process)}")
        return line.strip()

    def ask(self, line):
        self.start(line)
        return self.answer()

    def do(self, line):
        answer = self.ask(line)
        if answer != "ok":
            raise Failed(f"{line}: {answer}")

    def read(self, number, offset, length):
        return runs_of(self.ask(f"read {number} {offset} {length}"))

    def waits_for_lock(self):
        with open(f"/proc/{self.process.pid}/wchan", encoding="ascii") as where:
            return "futex" in where.read()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.stdin.close()
        if processes.wait(self.process, 30, "the program") != 0:
            raise Failed(f"the program has ended with {self.process.returncode}")


def runs_of(answer):
    """The bytes that a program has answered."""
    if not re.fullmatch(r"(\d+x\d+ ?)*", answer):
        raise Failed(f"a read: {answer}")
    return b"".join(bytes([int(byte)]) * int(count) for count, byte in (run.split("x") for run in answer.split()))


def put(path, byte, length=256 * 1024, offset=0):
    with open(path, "r+b" if os.path.exists(path) else "wb") as file:
        file.seek(offset)
        file.write(bytes([byte]) * length)


def same(what, found, wanted):
    if found != wanted:
        at = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), min(len(found), len(wanted)))
        raise Failed(f"{what}: {len(found)} bytes for {len(wanted)}, the first difference at {at}: "
                     f"{found[at:at + 1].hex()} for {wanted[at:at + 1].hex()}")


def content_on_disk(path):
    """What a program reads past the page cache."""
    size = os.stat(path).st_size
    fd = os.open(path, os.O_RDONLY | os.O_DIRECT)
    try:
        # Its memory is aligned, as such a read wants it.
        room = mmap.mmap(-1, (size // mmap.PAGESIZE + 2) * mmap.PAGESIZE)
        done = 0
        while done < size:
            count = os.preadv(fd, [memoryview(room)[done:]], done)
            if count == 0 or (done + count) % mmap.PAGESIZE != 0:
                done += count
                break
            done += count
        return room[:done]
    finally:
        os.close(fd)


def content(path):
    with open(path, "rb") as file:
        return file.read()
