"""Suite trust: what another user has put where the cache's files belong, and other places where it cannot keep what it promises. Agent and
ranks use none of it, and say why."""

import contextlib
import os
import socket
import struct
import subprocess

from . import mpi, processes
from .processes import Failed
from .workplace import Workplace

STRANGER = 65534
# Where the header's numbers are: layout, block size, sets, ways as 4 bytes each behind the magic number, then offsets of 8.
NUMBERS = {8: "<I", 12: "<I", 16: "<I", 20: "<I", 24: "<Q", 32: "<Q", 40: "<Q", 48: "<Q", 56: "<Q"}


def trust(options):
    if os.geteuid() != 0:
        print("SKIPPED needs root: files of another user")
        return
    names(options)
    for number, case in enumerate(CASES):
        with Workplace(options.build) as work:
            case(options, work, options.mpi[number % len(options.mpi)])
    print(f"trust: {len(CASES)} things that must not be used, and are not")


def names(options):
    """The preloaded library offers MPI's names and no others."""
    for each in options.mpi:
        library = mpi.library(options.build, each)
        listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
        others = [line.split()[-1] for line in listed.splitlines() if not line.split()[-1].startswith(("MPI_", "PMPI_"))]
        if others or "MPI_File_open" not in listed:
            raise Failed(f"trust: {library} offers {others or 'no MPI_File_open'}")


def refused_by_agent(work, *words):
    """The agent does not start, and says why."""
    agent = work.agent()
    command = [agent.program, "--directory", agent.directory, "--max", "4194304", "--block", "64KiB"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    if ended.returncode != 1 or not all(word in ended.stderr for word in words):
        raise Failed(f"trust: the agent has ended with {ended.returncode} and says, without {words}: {ended.stderr}")


def refused_by_ranks(work, each, *words):
    """The program runs without the cache, and its user learns why."""
    agent = work.agent()
    program = [f"{work.build}/model-{each}", work.at("cached/file"), work.at("plain/other"), "10", "1"]
    text = work.run_ranks(each, [(1, work.settings(agent), program)], 60)
    if "the same" not in text or "files cached" in text or not all(word in text for word in words):
        raise Failed(f"trust: the program says, without {words}: {text}")


def of_stranger(options, work, each):
    os.mkdir(work.at("node"), 0o711)
    os.chown(work.at("node"), STRANGER, STRANGER)
    refused_by_agent(work, work.at("node"), f"user {STRANGER}")
    refused_by_ranks(work, each, work.at("node"), f"user {STRANGER}")


def for_all(options, work, each):
    os.mkdir(work.at("node"))
    os.chmod(work.at("node"), 0o1777)
    refused_by_agent(work, work.at("node"), "1777")
    refused_by_ranks(work, each, work.at("node"), "1777")


def directory_link(options, work, each):
    os.mkdir(work.at("elsewhere"), 0o700)
    os.symlink("elsewhere", work.at("node"))
    refused_by_agent(work, work.at("node"), "link")
    refused_by_ranks(work, each, work.at("node"), "link")


def file_links(options, work, each):
    """The agent follows none of the links that lie where its own files go."""
    with open(work.at("thesis"), "w", encoding="ascii") as file:
        file.write("years of work")
    os.mkdir(work.at("node"), 0o700)
    for name in ("probe", "arena.new", "agent.sock", "control.sock"):
        os.symlink("../thesis", work.at("node", name))
    agent = work.agent().start()
    agent.stop()
    os.symlink("../thesis", work.at("node", "arena"))
    refused_by_agent(work, "arena")
    refused_by_ranks(work, each, "arena")
    with open(work.at("thesis"), encoding="ascii") as file:
        if file.read() != "years of work":
            raise Failed("trust: the agent has written through a link")


def left_by_agent(work):
    """An agent that was killed leaves its arena."""
    agent = work.agent().start("--capacity", "4194304")
    agent.kill()
    return work.at("node", "arena")


def arena_of_stranger(options, work, each):
    os.chown(left_by_agent(work), STRANGER, STRANGER)
    refused_by_agent(work, "arena")
    refused_by_ranks(work, each, "arena")


def crafted_arena(options, work, each):
    """No number of the header leads a rank out of the file."""
    arena = left_by_agent(work)
    for at, form in NUMBERS.items():
        with open(arena, "r+b") as file:
            file.seek(at)
            right = file.read(struct.calcsize(form))
            for wrong in (0, 1, struct.unpack(form, right)[0] + 4096, 2 ** (8 * len(right)) - 4096):
                file.seek(at)
                file.write(struct.pack(form, wrong))
                file.flush()
                refused_by_ranks(work, each, "arena")
            file.seek(at)
            file.write(right)


def socket_of_stranger(options, work, each):
    """Ranks give their files' descriptors to nobody else's agent."""
    left_by_agent(work)
    path = work.at("node", "agent.sock")
    os.unlink(path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(path)
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            os.setuid(STRANGER)
            listener.listen()
            os.write(theirs, b"r")
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    os.write(theirs, b"x" * len(connection.recv(64)))
            os._exit(0)
        os.read(ours, 1)
        try:
            program = [f"{work.build}/model-{each}", work.at("cached/file"), work.at("plain/other"), "10", "1"]
            text = work.run_ranks(each, [(1, work.settings(work.agent()), program)], 60)
        finally:
            os.kill(child, 9)
            os.waitpid(child, 0)
        os.close(theirs)
        if os.read(ours, 1) != b"" or "the same" not in text:
            raise Failed(f"trust: a stranger's socket was told something: {text}")
        os.close(ours)


def other_pid_namespace(options, work, each):
    """A container's program and an agent outside of it."""
    agent = work.agent().start("--capacity", "4194304")
    program = [f"{work.build}/model-{each}", work.at("cached/file"), work.at("plain/other"), "10", "1"]
    text = work.run(["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", *program], 60,
                    mpi.environment(work.build, each, work.settings(agent)), "the program in a PID namespace")
    if "the same" not in text or "files cached" in text or "PID namespace" not in text:
        raise Failed(f"trust: a program in another PID namespace says: {text}")


def on_nfs(options, work, each):
    """By a library that says so, as there is no NFS here."""
    agent = work.agent().start("--capacity", "4194304")
    program = [f"{work.build}/model-{each}", work.at("cached/file"), work.at("plain/other"), "10", "1"]
    text = work.run_ranks(each, [(2, work.settings(agent, SLOW_WRITES_NFS="1"), program)], 60, os.path.join(work.build, "libslow-writes.so"))
    if "the same" not in text or "files cached" in text or "is on NFS" not in text:
        raise Failed(f"trust: a program on NFS says: {text}")


CASES = (of_stranger, for_all, directory_link, file_links, arena_of_stranger, crafted_arena, socket_of_stranger, other_pid_namespace, on_nfs)
