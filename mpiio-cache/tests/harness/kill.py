"""Suite kill: ranks die by SIGKILL. What they had written is there, and the other ranks never meet a wrong byte."""

import itertools
import mmap
import os
import random
import signal
import struct
import subprocess
import time

from . import mpi, processes
from .agent import MIB
from .processes import Failed
from .workplace import Workplace

PROCESSES = 3
RECORDS, RECORD_BYTES = 1024, 3011
# As tests/killed.c has it: stop, then for each rank three arrays, its process and its syncs.
RANK_WORDS = RECORDS * 3 + 2


class Notes:
    def __init__(self, path):
        with open(path, "wb") as file:
            file.truncate(4 * (1 + 8 * RANK_WORDS))
        self.file = open(path, "r+b")
        self.words = mmap.mmap(self.file.fileno(), 0)

    def word(self, number):
        return struct.unpack_from("=I", self.words, 4 * number)[0]

    def stop(self):
        struct.pack_into("=I", self.words, 0, 1)

    def pid(self, rank):
        return self.word(1 + rank * RANK_WORDS + RECORDS * 3)

    def syncs(self):
        return sum(self.word(1 + rank * RANK_WORDS + RECORDS * 3 + 1) for rank in range(PROCESSES))

    def begun(self):
        return sum(sum(struct.unpack_from(f"={RECORDS}I", self.words, 4 * (1 + rank * RANK_WORDS))) for rank in range(PROCESSES))


def kill(options):
    until = time.monotonic() + options.seconds
    for seed in itertools.count(options.seed):
        for name, mode in itertools.product(options.mpi, ("write-back", "write-through")):
            for how in (singletons, one_job, whole_node):
                label = f"kill: {how.__name__}, {name}, {mode}, seed {seed}"
                try:
                    print(f"{label}: {how(options, name, mode, random.Random(seed))}", flush=True)
                except Failed as failure:
                    raise Failed(f"{label}: {failure}") from failure
        if time.monotonic() > until:
            return


def begin(work, max_bytes=4 * MIB, **more):
    agent = work.agent(max_bytes=max_bytes, **more).start("--capacity", str(max_bytes))
    with open(work.at("cached/file"), "wb") as file:
        file.truncate(PROCESSES * RECORDS * RECORD_BYTES)
    return agent, Notes(work.at("notes"))


def command(work, name, identity, *more):
    return [f"{work.build}/killed-{name}", work.at("notes"), work.at("cached/file"), str(PROCESSES), str(identity), *more]


def check(work, name, agent, notes, what, cached=True):
    """A new program reads everything; then, after all is flushed, one without the cache."""
    if cached:
        work.run(command(work, name, 0, what), 60, mpi.environment(work.build, name, work.settings(agent)), "the check by the cache")
        processes.wait_until(lambda: agent.ask("status")["dirtyBytes"] == 0, "all is flushed")
    work.run(command(work, name, 0, what), 60, dict(os.environ, **mpi.OPENMPI, **mpi.SANITIZERS, TMPDIR=work.path), "the check of the file")
    return f"{notes.begun()} writes, {notes.syncs()} syncs"


def singletons(options, name, mode, chance):
    """Programs that share a file by the cache only; one after the other is killed and started again."""
    with Workplace(options.build) as work:
        agent, notes = begin(work)
        environment = mpi.environment(work.build, name, work.settings(agent, mode))
        outputs = [open(work.at(f"output{i}"), "ab") for i in range(PROCESSES)]

        def start(identity):
            return subprocess.Popen(command(work, name, identity), stdout=outputs[identity], stderr=outputs[identity],
                                    stdin=subprocess.DEVNULL, env=work.alone(environment))

        running = [start(identity) for identity in range(PROCESSES)]
        kills = 0
        until = time.monotonic() + options.seconds / 12
        while time.monotonic() < until or kills < 3:
            time.sleep(chance.uniform(0.05, 0.3))
            victim = chance.randrange(PROCESSES)
            if notes.pid(victim) == running[victim].pid:
                os.kill(running[victim].pid, signal.SIGKILL)
                running[victim].wait()
                running[victim] = start(victim)
                kills += 1
            ended(work, [process for process in running if process.poll() is not None])
            agent.ask(f"resize {chance.randrange(5) * MIB}")
        notes.stop()
        for process in running:
            if processes.wait(process, 60, "a program that was told to stop") != 0:
                ended(work, [process])
        done = check(work, name, agent, notes, "check-done")
        agent.check_empty()
        return f"{kills} kills, {done}"


def ended(work, those):
    if those:
        for identity in range(PROCESSES):
            with open(work.at(f"output{identity}"), errors="replace", encoding="utf-8") as output:
                print(output.read())
        raise Failed(f"a program has ended with {those[0].returncode}")


def one_job(options, name, mode, chance):
    """A rank of a job is killed; the MPI library ends the others."""
    with Workplace(options.build) as work:
        agent, notes = begin(work)
        job = work.start_ranks(name, [(PROCESSES, work.settings(agent, mode), command(work, name, 0))])
        processes.wait_until(lambda: notes.syncs() > 3 or job.poll() is not None, "the job has synced")
        time.sleep(chance.uniform(0, 0.5))
        if job.poll() is not None:
            raise Failed(f"the job has ended with {job.returncode}")
        os.kill(notes.pid(chance.randrange(PROCESSES)), signal.SIGKILL)
        processes.wait(job, 60, "mpirun, after a rank was killed")
        return check(work, name, agent, notes, "check-done")


def whole_node(options, name, mode, chance):
    """Everything is killed at once and the memory is lost: what had been synced is in the file."""
    with Workplace(options.build) as work:
        # Nothing is flushed but by syncs.
        agent, notes = begin(work, 16 * MIB, arguments=["--dirty-age", "1000000"])
        environment = mpi.environment(work.build, name, work.settings(agent, mode))
        with open(work.output, "wb") as output:
            running = [subprocess.Popen(command(work, name, identity), stdout=output, stderr=output, stdin=subprocess.DEVNULL,
                                        env=work.alone(environment)) for identity in range(PROCESSES)]
        processes.wait_until(lambda: notes.syncs() > 6, "the programs have synced")
        time.sleep(chance.uniform(0, 0.3))
        for process in running:
            if process.poll() is not None:
                raise Failed(f"a program has ended with {process.returncode}")
            process.kill()
        agent.kill()
        for process in running:
            process.wait()
        return check(work, name, agent, notes, "check-synced" if mode == "write-back" else "check-done", cached=False)
