"""Suite clients: programs of other languages and libraries, which know nothing of the cache, on both MPIs."""

import errno
import os
import re
import shutil
import subprocess
import sys
import tarfile

from . import errors, mpi, processes
from .processes import Failed
from .workplace import Workplace

# Debian's Python has mpi4py and h5py for Open MPI.
PYTHON = "/usr/bin/python3"
MPI4PY = "mpi4py==3.1.4"


def clients(options):
    for name in options.mpi:
        for mode in ("write-through", "write-back"):
            for program in ("hdf5", "pnetcdf", "netcdf4"):
                if os.path.exists(f"{options.build}/{program}-{name}"):
                    run(options, name, mode, program, 3, [f"{options.build}/{program}-{name}"], ["{file}"])
            fortran(options, name, mode)
            python(options, name, mode)
    for program, package in (("hdf5-mpich", "libhdf5-mpich-dev"), ("hdf5-openmpi", "libhdf5-openmpi-dev"),
                             ("pnetcdf-openmpi", "libpnetcdf-dev"), ("netcdf4-openmpi", "libnetcdf-mpi-dev")):
        if program.split("-")[1] in options.mpi and not os.path.exists(f"{options.build}/{program}"):
            raise Failed(f"clients: {program} is missing: install {package} and build again")


def run(options, name, mode, label, ranks, program, arguments, environment=None):
    """The program's files are in the cached directory, and so are its temporary ones."""
    with Workplace(options.build) as work:
        agent = work.agent(max_bytes=8 << 20).start("--capacity", str(8 << 20))
        program = program + [argument.format(file=work.at("cached/file")) for argument in arguments]
        settings = work.settings(agent, mode, **(environment or {}))
        settings["TMPDIR"] = work.at("cached")
        try:
            output = work.run_ranks(name, [(ranks, settings, program)], 300)
        except Failed as failure:
            raise Failed(f"clients: {label}, {name}, {mode}: {failure}") from failure
        status = agent.check_empty()
        if status["files"] == 0 or status["hits"] + status["misses"] == 0:
            raise Failed(f"clients: {label}, {name}, {mode}: nothing was cached: {status}")
        ran = "".join(f", {count} tests" for count in re.findall(r"Ran (\d+) tests", output)[:1])
        print(f"clients: {label}, {name}, {mode}, {ranks} ranks{ran}: {status['hits']} hits, {status['misses']} misses,"
              f" {status['passedThrough']} passed through", flush=True)


def fortran(options, name, mode):
    compiler = shutil.which(f"mpifort.{name}")
    if compiler is None or shutil.which("gfortran") is None:
        raise Failed("clients: gfortran is missing: install it")
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for source in ("fortran08", "fortran"):
        program = os.path.join(options.build, f"{source}-{name}")
        subprocess.run([compiler, "-J", options.build, "-o", program, f"{here}/clients/{source}.f90"], check=True)
        run(options, name, mode, source.capitalize(), 3, [program], ["{file}"])
    with Workplace(options.build) as work, errors.failing_file_system(work) as (_, control):
        agent = work.agent(max_bytes=8 << 20).start("--capacity", str(8 << 20))
        errors.Control(control).fail("write", errno.ENOSPC)
        ranks = work.start_ranks(name, [(3, work.settings(agent, mode), [program, work.at("cached/file")])])
        status = processes.wait(ranks, 60, "the program in Fortran")
        # As tests/clients/fortran.f90 has them: a write or a sync is wrong.
        if status != (5 if mode == "write-back" else 4):
            raise Failed(f"clients: Fortran, {name}, {mode}, on a full disk: it has ended with {status}: {work.tail()}")
    print(f"clients: Fortran, {name}, {mode}, on a full disk: it is told so", flush=True)


def python(options, name, mode):
    """mpi4py's own tests of files; h5py."""
    source = mpi4py_source(options)
    modules = mpi4py_modules(options, name, source)
    if source is None or modules is None:
        raise Failed(f"clients: mpi4py for {name} is missing: install python3-mpi4py, or let pip reach a package index")
    paths = {"PYTHONPATH": modules} if modules else {}
    interpreter = sys.executable if modules else PYTHON
    for ranks in (1, 2):
        run(options, name, mode, "mpi4py's test_io", ranks, [interpreter, f"{source}/test/test_io.py"], [], paths)
    if name == "openmpi" and has(["numpy", "h5py._debian_h5py_mpi"]):
        here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        run(options, name, mode, "h5py", 3, [PYTHON, f"{here}/clients/h5py_client.py"], ["{file}"])
    elif name == "openmpi":
        raise Failed("clients: h5py is missing: install python3-h5py-mpi")


def has(modules):
    code = "import importlib.util as u, sys; sys.exit(not all(u.find_spec(m) for m in sys.argv[1:]))"
    return subprocess.run([PYTHON, "-c", code, *modules], stderr=subprocess.DEVNULL, check=False).returncode == 0


def mpi4py_source(options):
    """Its source distribution, fetched once: Debian's package has no tests."""
    kept = os.path.join(options.build, "clients")
    source = os.path.join(kept, MPI4PY.replace("==", "-"))
    if not os.path.exists(f"{source}/test/test_io.py"):
        os.makedirs(kept, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", kept, MPI4PY]
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            return None
        with tarfile.open(source + ".tar.gz") as archive:
            archive.extractall(kept, filter="data")
    return source


def mpi4py_modules(options, name, source):
    """Where Python finds mpi4py for an MPI: nothing for Debian's; for MPICH it is built once."""
    if name == "openmpi":
        return "" if has(["mpi4py"]) else None
    built = os.path.join(options.build, "clients", "mpi4py-" + name)
    if source is not None and not os.path.exists(built):
        constraints = os.path.join(options.build, "clients", "constraints.txt")
        with open(constraints, "w", encoding="ascii") as file:
            file.write("setuptools<70\n")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", built + ".new", source + ".tar.gz"]
        if subprocess.run(command, env=dict(os.environ, MPICC=f"mpicc.{name}", PIP_CONSTRAINT=constraints), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode != 0:
            shutil.rmtree(built + ".new", ignore_errors=True)
            return None
        os.rename(built + ".new", built)
    return built if os.path.exists(built) else None
