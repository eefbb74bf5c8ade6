"""An agent in a directory of its own, and what it answers."""

import json
import os
import signal
import socket
import subprocess
import time

from . import mpi, processes
from .processes import Failed

MIB = 1 << 20


class Agent:
    """The agent of one node. Its log is kept over its restarts."""

    def __init__(self, build, directory, log, max_bytes=4 * MIB, block="64KiB", arguments=(), environment=None, namespace=None):
        self.program = os.path.join(build, "dynims-mpiio-agent")
        self.directory = directory
        self.log = log
        self.max_bytes = max_bytes
        self.block = block
        self.arguments = list(arguments)
        self.environment = environment or {}
        self.namespace = namespace
        self.process = None

    def start(self, *more):
        command = mpi.enter(self.namespace) + [self.program, "--directory", self.directory, "--max", str(self.max_bytes), "--block", self.block]
        command += ["--control-timeout", "0", *self.arguments, *more]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stderr=log, env=dict(os.environ, **mpi.SANITIZERS, **self.environment))
        until = time.monotonic() + processes.GIVE_UP_SECONDS
        while True:
            try:
                self.ask_running("status")
                return self
            except OSError:
                if self.process.poll() is not None or time.monotonic() > until:
                    raise Failed(f"the agent has not started:\n{self.tail()}") from None
                time.sleep(0.005)

    def ask(self, request):
        try:
            return self.ask_running(request)
        except OSError as error:
            raise Failed(f"{request}: {error!r}; the agent {processes.state_of(self.process)}:\n{self.tail()}") from error

    def ask_running(self, request):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(30)
            connection.connect(os.path.join(self.directory, "control.sock"))
            connection.sendall(request.encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                part = connection.recv(65536)
                if not part:
                    raise ConnectionResetError("the agent has hung up")
                answer += part
        return json.loads(answer)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self, file_system_fails=False):
        """Ends it as an operator would; it must end well, or with 1 if there is something that it cannot write."""
        self.process.send_signal(signal.SIGTERM)
        status = processes.wait(self.process, 60, "the agent")
        if status != 0 and not (file_system_fails and status == 1):
            raise Failed(f"the agent has ended with {status}:\n{self.tail()}")

    def check_empty(self):
        """With every file closed nothing is dirty, and at capacity 0 nothing is held."""
        before = self.ask("status")
        if before["dirtyBytes"] != 0:
            raise Failed(f"still dirty with every file closed: {before}")
        # A resize works for some milliseconds only; who asks for it repeats it.
        until = time.monotonic() + processes.GIVE_UP_SECONDS
        while not (after := self.ask("resize 0"))["reached"] and time.monotonic() < until:
            time.sleep(0.01)
        if after["usedBytes"] != 0 or after["unevictableBytes"] != 0:
            raise Failed(f"at capacity 0 something is held: {after}")
        return before

    def tail(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return "".join(log.readlines()[-30:])
