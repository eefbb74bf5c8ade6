"""A fresh directory on tmpfs for one test, removed after it; of a failed one, the logs are shown."""

import os
import shutil
import subprocess
import tempfile

from . import mpi, processes
from .agent import Agent
from .processes import Failed


class Workplace:
    def __init__(self, build):
        self.build = build
        self.agents = []

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="dynims-mpiio-tests.", dir="/dev/shm")
        self.output = self.at("output")
        for name in ("cached", "plain"):
            os.mkdir(self.at(name))
        return self

    def __exit__(self, kind, error, trace):
        try:
            for agent in self.agents:
                if agent.process is not None and agent.process.poll() is None:
                    agent.kill()
            processes.end_all()
            if kind is not None and issubclass(kind, Exception):
                self.show()
        finally:
            shutil.rmtree(self.path, ignore_errors=True)

    def show(self):
        for path in [self.output] + [agent.log for agent in self.agents]:
            if os.path.exists(path):
                print(last_lines(path))

    def at(self, *names):
        return os.path.join(self.path, *names)

    def agent(self, name="node", **settings):
        agent = Agent(self.build, self.at(name), self.at(name + ".log"), **settings)
        self.agents.append(agent)
        return agent

    def settings(self, agent, mode="write-through", **more):
        """What a rank finds in its environment."""
        # What the MPI libraries leave behind when they are killed goes with the directory.
        more = {"TMPDIR": self.path, "OMPI_MCA_btl_vader_backing_directory": self.path, **more}
        if agent.namespace is not None:
            more["namespace"] = agent.namespace
        return {"directory": agent.directory, "paths": self.at("cached"), "mode": mode, "DYNIMS_MPIIO_REPORT": "1", **more}

    def alone(self, environment):
        """The environment of a program without mpirun that runs beside others. Open MPI's daemon of one that ends removes its directory below
        TMPDIR if nothing else is in it; one that starts has just found it there, and ends with "mkdir: File exists" if they share it."""
        return dict(environment, TMPDIR=tempfile.mkdtemp(prefix="tmp.", dir=self.path))

    def run(self, command, seconds, environment=None, name=None):
        """Runs a program to its end, which must be a good one. Returns what it printed."""
        with open(self.output, "wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, env=environment)
            status = processes.wait(process, seconds, name or os.path.basename(command[0]))
        if status != 0:
            raise Failed(f"{name or command[0]} has ended with {status}")
        return self.tail()

    def start_ranks(self, name, groups, preload=""):
        with open(self.output, "wb") as output:
            return mpi.start(self.build, name, groups, output, preload)

    def wait_for_ranks(self, process, seconds=300):
        status = processes.wait(process, seconds, "the MPI program")
        if status != 0:
            raise Failed(f"the MPI program has ended with {status}")

    def run_ranks(self, name, groups, seconds=300, preload=""):
        self.wait_for_ranks(self.start_ranks(name, groups, preload), seconds)
        return self.tail()

    def tail(self):
        return last_lines(self.output)


def last_lines(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return "".join(file.readlines()[-80:])
