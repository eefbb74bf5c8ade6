"""Suite programs: with the cache, on all ranks or on some, a program does what it does without it."""

import os
import re
import shutil

from . import mpi, processes
from .processes import Failed
from .workplace import Workplace

MIB = 1 << 20
CASES = ("alone", "together", "halves", "selves", "overlap", "handles", "conflict", "signals", "threads", "wrong")


def programs(options):
    for name in options.mpi:
        for case in CASES:
            one_case(options, name, case)
        mixed(options, name)
        nameless(options, name)
        links(options, name)
        several_agents(options, name)
        tools(options, name)
        foreign(options, name)
        print(f"programs: {name}: the same as without the cache, and with it on some ranks only", flush=True)
    sessions(options)


def printed(work, name, groups, preload=""):
    """What the program prints, without what the cache reports."""
    shutil.rmtree(work.at("cached"))
    os.mkdir(work.at("cached"))
    errors = work.at("stderr")
    with open(work.output, "wb") as output, open(errors, "wb") as other:
        status = processes.wait(mpi.start(work.build, name, groups, output, preload, other), 60, "the MPI program")
    with open(errors, encoding="utf-8", errors="replace") as file:
        said = file.read()
    with open(work.output, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if status != 0 or not text:
        raise Failed(f"the program has ended with {status}: {text}{said}")
    files = {}
    for each in sorted(os.listdir(work.at("cached"))):
        with open(work.at("cached", each), "rb") as file:
            files[each] = file.read()
    return text, files, said


def without(work):
    return {"LD_PRELOAD": ":".join(filter(None, [mpi.sanitizer(work.build), mpi.patient(work.build)]))}


def compare(label, plain, other):
    if plain[0] != other[0]:
        differences = [f"{a!r} without, {b!r} with" for a, b in zip(plain[0].splitlines(), other[0].splitlines()) if a != b]
        raise Failed(f"programs: {label}: it prints {differences[:3] or 'more, or less'}; {other[2]}")
    for name, content in plain[1].items():
        if other[1].get(name) != content:
            raise Failed(f"programs: {label}: {name} has other bytes")


def program(work, name, case):
    return [f"{work.build}/programs-{name}", case, work.at("cached")]


def start_agent(work, name="node"):
    return work.agent(name, max_bytes=8 * MIB).start("--capacity", str(8 * MIB))


def one_case(options, name, case):
    with Workplace(options.build) as work:
        agent = start_agent(work)
        settings = work.settings(agent)
        ranks = 2 if case in ("handles", "threads", "signals") else 3
        plain = printed(work, name, [(ranks, {**settings, **without(work)}, program(work, name, case))])
        for mode in ("write-through", "write-back"):
            before = agent.ask("status")
            with_cache = printed(work, name, [(ranks, {**settings, "mode": mode}, program(work, name, case))])
            # What is last of bytes that two write is not said.
            compare(f"{name}, {case}, {mode}", plain if case != "conflict" else (plain[0], {}), with_cache)
            after = agent.ask("status")
            if case != "wrong" and after["hits"] + after["misses"] == before["hits"] + before["misses"]:
                raise Failed(f"programs: {name}, {case}, {mode}: nothing was cached: {with_cache[2]}")
        agent.check_empty()


def mixed(options, name):
    """Ranks that do not all have the cache, or not the same settings."""
    with Workplace(options.build) as work:
        agent = start_agent(work)
        other = start_agent(work, "other")
        own = work.settings(agent)
        back = {**own, "mode": "write-back"}
        kinds = {
            "the first half without": ({**own, **without(work)}, back),
            "the second half without": (back, {**own, **without(work)}),
            "other folders": (own, {**own, "paths": "/nowhere"}),
            "a mode that is none": ({**own, "mode": "write-aside"}, own),
            "no directory": (own, {**own, "directory": ""}),
            "a directory without an agent": (own, {**own, "directory": work.at("nobody")}),
            "other modes": (back, {**own, "mode": "read-only"}),
            "a launcher that says something else": (own, {**own, "MPI_LOCALNRANKS": "7", "OMPI_COMM_WORLD_LOCAL_SIZE": "7"}),
            "another agent": (back, {**back, "directory": other.directory}),
        }
        for case in ("together", "halves", "selves"):
            plain = printed(work, name, [(4, {**own, **without(work)}, program(work, name, case))])
            for label, (first, second) in kinds.items():
                groups = [(2, first, program(work, name, case)), (2, second, program(work, name, case))]
                compare(f"{name}, {case}, {label}", plain, printed(work, name, groups))
        groups = [(2, {**own, **without(work)}, program(work, name, "together")), (2, own, program(work, name, "together"))]
        said = printed(work, name, groups)[2]
        if not re.search(r"together: opened 3 times, not cached: not all ranks", said):
            raise Failed(f"programs: {name}: why a file is not cached is not reported: {said}")
        agent.check_empty()


def nameless(options, name):
    """A launcher without a name service: ranks find each other all the same, and find that one is missing."""
    with Workplace(options.build) as work:
        agent = start_agent(work)
        other = start_agent(work, "other")
        # As Slurm sets it for MPICH.
        own = {**work.settings(agent), "mode": "write-back", "PMI_JOBID": "17.0"}
        shim = f"{options.build}/libnameless-{name}.so"
        bare = {**own, "LD_PRELOAD": ":".join(filter(None, [mpi.sanitizer(work.build), shim, mpi.patient(work.build)]))}
        for case in ("together", "halves"):
            plain = printed(work, name, [(4, bare, program(work, name, case))])
            before = agent.ask("status")
            compare(f"{name}, {case}, no names", plain, printed(work, name, [(4, own, program(work, name, case))], shim))
            after = agent.ask("status")
            if after["hits"] + after["misses"] == before["hits"] + before["misses"]:
                raise Failed(f"programs: {name}, {case}: without a name service nothing was cached")
            for label, (first, second) in {"the first half without": (bare, own), "the second half without": (own, bare),
                                           "no directory": (own, {**own, "directory": ""}),
                                           "another agent": (own, {**own, "directory": other.directory})}.items():
                groups = [(2, first, program(work, name, case)), (2, second, program(work, name, case))]
                compare(f"{name}, {case}, no names, {label}", plain, printed(work, name, groups, shim))
        agent.check_empty()
        other.check_empty()


def links(options, name):
    """A folder of DYNIMS_MPIIO_PATHS that is a link, and one on the way to which there is a link."""
    with Workplace(options.build) as work:
        agent = start_agent(work)
        os.symlink(work.at("cached"), work.at("scratch"))
        os.symlink(work.path, work.at("way"))
        for paths in (work.at("scratch"), work.at("way/cached"), work.at("cached") + "/", "/nowhere:" + work.at("scratch")):
            before = agent.ask("status")
            printed(work, name, [(2, work.settings(agent, paths=paths), program(work, name, "together"))])
            after = agent.ask("status")
            if after["hits"] + after["misses"] == before["hits"] + before["misses"]:
                raise Failed(f"programs: {name}: nothing below {paths} was cached")


def several_agents(options, name):
    """Two agents' directories in one program: each file has its own, and both keep it."""
    with Workplace(options.build) as work:
        agents = [start_agent(work), start_agent(work, "other")]
        settings = work.settings(agents[0], "write-back", DYNIMS_TEST_PATH=agents[1].directory)
        agents_program = [f"{work.build}/programs-{name}", "agents", work.at("cached")]
        text = printed(work, name, [(2, settings, agents_program)])[0]
        if "other bytes" in text:
            raise Failed(f"programs: {name}: with two agents: {text}")
        for agent in agents:
            status = agent.ask("status")
            if status["hits"] + status["misses"] == 0:
                raise Failed(f"programs: {name}: one of two agents was not used: {status}")
            agent.check_empty()


def tools(options, name):
    """A tool sees all calls, and the cache serves them, whichever of the two was loaded first."""
    with Workplace(options.build) as work:
        agent = start_agent(work)
        cache = mpi.library(options.build, name)
        plain_tool = f"{options.build}/libtool-{name}.so"
        direct_tool = f"{options.build}/libtool-direct-{name}.so"
        wanted = None
        for label, preload, sees_all in (("alone", [plain_tool], True), ("the cache first", [cache, plain_tool], True),
                                         ("the tool first", [plain_tool, cache], True), ("a direct tool first", [direct_tool, cache], True),
                                         ("the cache before a direct tool", [cache, direct_tool], False)):
            before = agent.ask("status")
            libraries = ":".join(filter(None, [mpi.sanitizer(options.build), *preload, mpi.patient(options.build)]))
            _, _, said = printed(work, name, [(2, work.settings(agent, LD_PRELOAD=libraries), program(work, name, "together"))])
            seen = sorted(re.findall(r"tool: .*", said))
            wanted = wanted or seen
            if len(seen) != 2 or (seen == wanted) != sees_all:
                raise Failed(f"programs: {name}: a tool, {label}, saw {seen} for {wanted}")
            if not sees_all and said.count("past the cache") != 1:
                raise Failed(f"programs: {name}: that a tool does not see all is not reported: {said}")
            after = agent.ask("status")
            if label != "alone" and after["hits"] + after["misses"] == before["hits"] + before["misses"]:
                raise Failed(f"programs: {name}: a tool, {label}: nothing was cached: {said}")


def foreign(options, name):
    """The library for another MPI."""
    other = next(each for each in mpi.NAMES if each != name)
    with Workplace(options.build) as work:
        agent = start_agent(work)
        settings = work.settings(agent)
        plain = printed(work, name, [(2, {**settings, **without(work)}, program(work, name, "together"))])
        libraries = ":".join(filter(None, [mpi.sanitizer(options.build), mpi.library(options.build, other), mpi.patient(options.build)]))
        wrong = printed(work, name, [(2, {**settings, "LD_PRELOAD": libraries}, program(work, name, "together"))])
        compare(f"{name}, with the library for {other}", plain, wrong)
        if len(re.findall(r"dynims-mpiio: this library is for", wrong[2])) != 1:
            raise Failed(f"programs: {name}, with the library for {other}: it says {wrong[2]!r}")


def sessions(options):
    """Programs that initialize MPI by sessions only; of the two, MPICH has them."""
    if "mpich" not in options.mpi:
        return
    with Workplace(options.build) as work:
        agent = start_agent(work)
        for ranks in (1, 3):
            settings = work.settings(agent)
            plain = printed(work, "mpich", [(ranks, {**settings, **without(work)}, program(work, "mpich", "sessions"))])
            other = printed(work, "mpich", [(ranks, settings, program(work, "mpich", "sessions"))])
            compare(f"sessions, {ranks} ranks", plain, other)
            wanted = "cached (write-through)" if ranks == 1 else "not cached: its communicator"
            if "error" not in plain[0] and wanted not in other[2]:
                raise Failed(f"programs: sessions, {ranks} ranks: it reports {other[2]!r}, and not {wanted!r}")
            print(f"programs: sessions, {ranks} ranks: the same: {plain[0].splitlines()[0]}", flush=True)
