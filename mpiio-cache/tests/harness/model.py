"""Suites model, restart and nodes: random MPI-IO programs on a cached and on a plain file."""

import contextlib
import itertools
import os
import random
import subprocess
import time

from . import errors, processes
from .agent import MIB
from .processes import Failed
from .workplace import Workplace

MODES = ("write-through", "write-back", "read-only")
MAX_BYTES = 4 * MIB


# Far more than a program takes.
RESTART_SECONDS = 200
# Ranks of random programs in turn: most faults show with few, of which a machine runs more.
RANKS = (1, 2, 1, 1, 2, 1, 3, 1, 2, 1, 1, 2, 1, 1, 2, 4)


def program(work, mpi, steps, ranks, seed, agent, programs=1):
    # Ranks that wait keep a core busy: with more of them than cores, all are slow.
    steps = steps if ranks <= 2 else steps * 2 // ranks
    # Open MPI takes files of the same name in different directories for one when it shares their pointers.
    return [f"{work.build}/model-{mpi}", work.at("cached/file"), work.at("plain/other"), str(steps), str(seed),
            f"{agent.directory}/control.sock", str(agent.max_bytes), str(programs)]


def check_agent(agent, label, used=True):
    status = agent.check_empty()
    # In a program that is soon in atomic mode, and stays in it, the cache passes all on.
    if used and status["hits"] + status["misses"] + status["passedThrough"] == 0:
        raise Failed(f"{label}: nothing went through the cache")
    return status


def model(options):
    """All modes and both MPIs in turn; seeds until the time is over, one round of all at least."""
    until = time.monotonic() + options.seconds
    totals = [0, 0, 0]
    for turn in itertools.count():
        for mpi, mode in itertools.product(options.mpi, MODES):
            with Workplace(options.build) as work:
                programs, status = some_models(options, work, mpi, mode, turn)
            totals = [totals[0] + programs, totals[1] + status["hits"], totals[2] + status["misses"]]
        if is_over(options, totals[0], until):
            print(f"model: {totals[0]} programs, {totals[1]} hits, {totals[2]} misses: the same as without the cache")
            return


def failing(options):
    """The same on a file system of which one call in a while fails."""
    until = time.monotonic() + options.seconds
    programs = 0
    for turn in itertools.count():
        for mpi, mode in itertools.product(options.mpi, ("write-through", "write-back")):
            with Workplace(options.build) as work, errors.failing_file_system(work) as (backing, control):
                programs += some_models(options, work, mpi, mode, turn, MODEL_FAULTS=f"{control}:{backing}/file")[0]
        if is_over(options, programs, until):
            print(f"failing: {programs} programs: what they are told, read and find in the file is right")
            return


def is_over(options, programs, until):
    return programs >= options.seeds if options.seeds is not None else time.monotonic() > until


def some_models(options, work, mpi, mode, turn, **settings):
    """Some programs with seeds of their own, one after the other in the same ranks: fewer with more ranks, which take turns on the cores.
    Returns how many, and the agent's status."""
    seed = options.seed + turn * options.programs
    ranks = RANKS[(options.seed + turn) % len(RANKS)]
    programs = max(1, options.programs // ranks ** 2)
    label = f"{programs} programs on {ranks} ranks of {mpi}, {mode}, seed {seed}"
    agent = work.agent(max_bytes=MAX_BYTES).start("--capacity", str(MAX_BYTES))
    begin = time.monotonic()
    try:
        command = program(work, mpi, options.steps, ranks, seed, agent, programs)
        work.run_ranks(mpi, [(ranks, work.settings(agent, mode, **settings), command)])
        status = check_agent(agent, label, mode != "read-only")
        agent.stop()
    except Failed as failure:
        raise Failed(f"{label}: {failure}") from failure
    print(f"{label}: {time.monotonic() - begin:.1f} s, {status['hits']} hits, {status['misses']} misses", flush=True)
    return programs, status


def restart(options):
    """The same while the agent is killed, stopped or replaced by one with another arena, at random moments."""
    until = time.monotonic() + options.seconds
    for seed in itertools.count(options.seed):
        for mpi, mode in itertools.product(options.mpi, ("write-back", "write-through")):
            restarts = one_restart(options, mpi, mode, 1 + seed % 3, seed)
            print(f"restart: {mpi}, {mode}, {1 + seed % 3} ranks, seed {seed}: {restarts} restarts", flush=True)
        if time.monotonic() > until:
            return


def one_restart(options, mpi, mode, ranks, seed):
    chance = random.Random(seed)
    label = f"restart: {mpi}, {mode}, {ranks} ranks, seed {seed}"
    with Workplace(options.build) as work:
        agent = work.agent(max_bytes=MAX_BYTES, arguments=["--dirty-age", "100"]).start("--capacity", str(MAX_BYTES))
        restarts = 0
        try:
            ranks_process = work.start_ranks(mpi, [(ranks, work.settings(agent, mode), program(work, mpi, options.steps, ranks, seed, agent))])
            until = time.monotonic() + RESTART_SECONDS
            while ranks_process.poll() is None and time.monotonic() < until:
                time.sleep(chance.uniform(0, 0.3))
                begin_again(agent, chance)
                restarts += 1
            work.wait_for_ranks(ranks_process, 10)
            check_agent(agent, label, False)
            agent.stop()
        except Failed as failure:
            raise Failed(f"{label}: {failure}") from failure
        return restarts


def begin_again(agent, chance):
    """Most agents are killed; some end in order, some come with an arena of another size."""
    choice = chance.random()
    if choice < 0.8:
        agent.kill()
    else:
        agent.stop()
    time.sleep(chance.choice((0, 0, 0.1)))
    more = []
    if chance.random() < 0.2:
        agent.max_bytes = chance.choice((2, 3, 4, 5)) * MIB
        agent.block = chance.choice(("64KiB", "128KiB"))
    if chance.random() < 0.5:
        more = ["--capacity", str(agent.max_bytes)]
    agent.start("--recreate", *more)


@contextlib.contextmanager
def network(mpi, count):
    """Network namespaces for nodes, where this is permitted and the MPI library starts ranks in them; else none."""
    if mpi != "mpich" or os.geteuid() != 0:
        yield [None] * count
        return
    script = os.path.join(os.path.dirname(__file__), "../namespaces")
    prefix = f"dynims-mpiio-{os.getpid()}"
    subprocess.run([script, "up", prefix, str(count)], check=True)
    try:
        yield [f"{prefix}-{number}" for number in range(count)]
    finally:
        processes.end_all()
        subprocess.run([script, "down", prefix], check=True)


def nodes(options):
    """Ranks on two and three arenas, as on so many nodes, with blocks from their owners and without."""
    for mpi in options.mpi:
        with network(mpi, 2) as names:
            check_owners(options, mpi, names)
    until = time.monotonic() + options.seconds
    for seed in itertools.count(options.seed):
        for mpi in options.mpi:
            with network(mpi, 2 + seed % 2) as names:
                for mode, distribute in itertools.product(MODES[:2], ("false", "true")):
                    one_nodes(options, mpi, names, mode, distribute, seed)
        if time.monotonic() > until:
            return


def start_nodes(work, names, blocks=("64KiB",)):
    """With blocks of these sizes in turn: a node's depends on the pages that it has."""
    agents = []
    for number, name in enumerate(names):
        address = f"10.111.0.{number + 1}" if name else "127.0.0.1"
        agent = work.agent(f"node{number}", arguments=["--listen", address + ":0"], namespace=name, block=blocks[number % len(blocks)])
        agents.append(agent.start("--capacity", str(MAX_BYTES)))
    return agents


def one_nodes(options, mpi, names, mode, distribute, seed):
    # One node with two ranks, the others with one.
    count = len(names)
    where = "namespaces" if names[0] else "nodes"
    label = f"nodes: {mpi}, {mode}, {count} {where}, distribute={distribute}, seed {seed}"
    with Workplace(options.build) as work:
        agents = start_nodes(work, names, ("64KiB", "256KiB") if seed % 2 == 0 else ("128KiB", "64KiB", "256KiB"))
        begin = time.monotonic()
        groups = [(2 if agent is agents[seed % count] else 1,
                   work.settings(agent, mode, MODEL_HINTS=f"dynims_distribute={distribute}", MODEL_NODES="1"),
                   program(work, mpi, options.steps, count + 1, seed, agent)) for agent in agents]
        try:
            work.run_ranks(mpi, groups)
            for agent in agents:
                check_agent(agent, label)
                agent.stop()
        except Failed as failure:
            raise Failed(f"{label}: {failure}") from failure
        print(f"{label}: {time.monotonic() - begin:.1f} s", flush=True)


def check_owners(options, mpi, names):
    """A rank that reads everything loads from the file its own part only: the rest comes through the owner's agent."""
    with Workplace(options.build) as work:
        agents = start_nodes(work, names)
        size = 2 * MIB
        with open(work.at("cached/file"), "wb") as file:
            file.write(random.Random(1).randbytes(size))
        program_of = [f"{work.build}/owners-{mpi}", work.at("cached/file")]
        groups = [(number + 1, work.settings(agent), program_of) for number, agent in enumerate(agents)]
        work.run_ranks(mpi, groups)
        loaded = [agent.ask("status")["missBytes"] for agent in agents]
        # The first node's rank reads next to nothing; its agent has loaded its half for the other node.
        if not size * 0.4 < loaded[0] < size * 0.7:
            raise Failed(f"nodes: {mpi}: the nodes have loaded {loaded} bytes of {size}")
        print(f"nodes: {mpi}: the owner's agent has served its half", flush=True)
