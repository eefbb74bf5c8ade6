"""Suite fuzz: messages that no rank, adapter or node would send. The agent refuses them, goes on, and keeps nothing of them."""

import array
import os
import random
import socket
import struct
import time
import types

from . import processes
from .agent import MIB
from .processes import Failed
from .workplace import Workplace

PEER_MAGIC = 0x44594D31
FILES = 400
NUMBERS = (0, 1, 2, 3, 63, 64, 255, 1023, 1024, 1025, 65535, 65536, 2**24, 2**31 - 1, 2**31, 2**32 - 1)
LARGE = NUMBERS + (2**32, 2**40 - 1, 2**40, 2**43, 2**44, 2**44 + 1, 2**47, 2**48, 2**52, 2**63 - 1, 2**63, 2**64 - 1)


def fuzz(options):
    chance = random.Random(options.seed)
    with Workplace(options.build) as work:
        agent = work.agent(max_bytes=4 * MIB, arguments=["--listen", "127.0.0.1:0", "--dirty-age", "50"]).start("--capacity", "4MiB")
        paths = [work.at("cached", f"file{i}") for i in range(4)]
        for path in paths:
            with open(path, "wb") as file:
                file.write(os.urandom(300000))
        # One file is known to the agent, with blocks.
        work.run([f"{options.build}/mpiio-fill", agent.directory, paths[0]], 60)
        calm = descriptors(agent)
        target = types.SimpleNamespace(port=peer_port(agent), file=known_file(agent, paths[0]))
        sent = {send_control: 0, send_rank: 0, send_peer: 0}
        until = time.monotonic() + options.seconds
        while time.monotonic() < until:
            send = chance.choice(list(sent))
            for _ in range(50):
                send(agent, chance, paths, target)
                sent[send] += 1
            if agent.process.poll() is not None:
                raise Failed(f"fuzz: the agent has ended with {agent.process.returncode}")
            agent.ask("status")
        processes.wait_until(lambda: descriptors(agent) <= calm + 2, f"descriptors: {calm} at first, {descriptors(agent)} now")
        many_files(work, agent)
        agent.check_empty()
        agent.stop()
        numbers = ", ".join(f"{count} {send.__name__[5:]}" for send, count in sent.items())
        print(f"fuzz: {numbers} messages: the agent goes on, with its {calm} descriptors", flush=True)


def descriptors(agent):
    return len(os.listdir(f"/proc/{agent.process.pid}/fd"))


def peer_port(agent):
    """From the arena's header: after ten numbers and the agent's epoch."""
    with open(os.path.join(agent.directory, "arena"), "rb") as file:
        header = file.read(512)
    at = header.index(b"127.0.0.1\0")
    return struct.unpack_from("=I", header, at - 4)[0]


def send_control(agent, chance, paths, target):
    words = [b"status", b"files", b"resize", b"resize 0", b"resize -1", b"", b" ", b"resize 1e9", b"resize 99999999999999999999999",
             b"resize " + str(chance.choice(LARGE)).encode(), bytes(chance.randrange(256) for _ in range(chance.randrange(300))), b"x" * 255,
             b"resize\t5", b"\0", b'"\\\x01', "é".encode()]
    text = b"\n".join(chance.choice(words) for _ in range(chance.randrange(1, 6))) + b"\n" * chance.randrange(2)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(os.path.join(agent.directory, "control.sock"))
        try:
            for part in (text[: len(text) // 2], text[len(text) // 2 :]):
                connection.sendall(part)
            connection.shutdown(socket.SHUT_WR)
            if chance.random() < 0.5:
                while connection.recv(65536):
                    pass
        except (BrokenPipeError, ConnectionResetError):
            pass


def ask_rank(connection, message, opened):
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", opened))] if opened else []
    connection.sendmsg([message], rights)
    return connection.recv(100)


def arena_id(agent):
    with open(os.path.join(agent.directory, "arena"), "rb") as arena:
        return struct.unpack_from("=Q", arena.read(72), 64)[0]


def known_file(agent, path):
    """The number of a file's entry: the one that the agent does not call stale."""
    fd = os.open(path, os.O_RDWR)
    try:
        for number in range(1024):
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
                connection.settimeout(10)
                connection.connect(os.path.join(agent.directory, "agent.sock"))
                message = struct.pack("=QIIII16sQQ", arena_id(agent), 1, number, 1, 1, bytes(16), 0, 0)
                if struct.unpack("=i", ask_rank(connection, message, [fd]))[0] == 0:
                    return number
    finally:
        os.close(fd)
    raise Failed("fuzz: the agent does not know the file")


def rank_message(chance, arena, known):
    key = bytes(16) if chance.random() < 0.5 else b"key of the fuzz!"
    whole = struct.pack("=QIIII16sQQ", arena if chance.random() < 0.9 else chance.choice(LARGE), chance.choice((0, 1, 1, 1, 2, 3, 3, 4, 2**32 - 1)),
                        known if chance.random() < 0.6 else chance.choice(NUMBERS),
                        chance.choice((0, 1, 1, 1, 2, 2**32 - 1)), chance.randrange(2), key, chance.choice(LARGE), chance.choice(LARGE))
    choice = chance.random()
    if choice < 0.1:
        return whole[: chance.randrange(len(whole))]
    return whole + bytes(chance.randrange(100)) if choice < 0.2 else whole


def send_rank(agent, chance, paths, target):
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.settimeout(10)
        connection.connect(os.path.join(agent.directory, "agent.sock"))
        for _ in range(chance.randrange(1, 8)):
            opened = [os.open(chance.choice(paths), chance.choice((os.O_RDONLY, os.O_RDWR))) for _ in range(chance.choice((0, 1, 1, 1, 2, 7)))]
            if chance.random() < 0.1:
                opened += os.pipe()
            try:
                ask_rank(connection, rank_message(chance, arena_id(agent), target.file) or b"\0", opened)
            except (BrokenPipeError, ConnectionResetError):
                return
            finally:
                for fd in opened:
                    os.close(fd)


def send_peer(agent, chance, paths, target):
    with socket.socket() as connection:
        connection.settimeout(10)
        connection.connect(("127.0.0.1", target.port))
        for _ in range(chance.randrange(1, 4)):
            magic = PEER_MAGIC if chance.random() < 0.9 else chance.randrange(2**32)
            length = chance.choice((0, 1, 4096, 65536, 100000, 4 << 20, (4 << 20) + 1, 2**32 - 1))
            key = b"key of the fuzz!" if chance.random() < 0.7 else bytes(16)
            request = struct.pack(">IIQ16s", magic, length, chance.choice(LARGE), key)
            cut = chance.random() < 0.1
            try:
                connection.sendall(request[: chance.randrange(32)] if cut else request)
                if cut or magic != PEER_MAGIC or length > 4 << 20:
                    return
                count = struct.unpack(">q", receive(connection, 8))[0]
                if count > length:
                    raise Failed(f"fuzz: the agent sends {count} of {length} bytes")
                receive(connection, max(count, 0))
            except (BrokenPipeError, ConnectionResetError):
                return


def receive(connection, length):
    got = b""
    while len(got) < length:
        part = connection.recv(length - len(got))
        if not part:
            raise ConnectionResetError
        got += part
    return got


def many_files(work, agent):
    """The answer about many files with long paths is whole."""
    directory = work.at("cached", "d" * 200)
    os.mkdir(directory)
    for number in range(FILES):
        with open(os.path.join(directory, f"{number:0200}"), "wb") as file:
            file.write(b"x")
        work.run([f"{work.build}/mpiio-fill", agent.directory, file.name], 60)
    files = agent.ask("files")["files"]
    if len(files) < FILES:
        raise Failed(f"fuzz: {len(files)} of {FILES} files are told")
