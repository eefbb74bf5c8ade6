"""The two MPI libraries: how programs are started with each."""

import functools
import os
import re
import subprocess

from .processes import Failed

NAMES = ("mpich", "openmpi")

# Ranks share two cores with others, and root may run them.
OPENMPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_base_warn_component_unused": "0",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl": "self,vader,tcp",
    # Open MPI 5 starts programs by PRRTE.
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
}
# mpirun of Open MPI 5.0 with PMIx 5.0.7, as Debian 13 has them, crashes when it is given several programs (https://github.com/open-mpi/ompi/issues/13303),
# unless PMIx knows nothing of Open MPI. Ranks then have none of the variables OMPI_COMM_WORLD_*.
SEVERAL_PROGRAMS = {"PMIX_MCA_pmdl": "^ompi"}


def library(build, mpi):
    found = os.path.join(build, f"libdynims-mpiio-{mpi}.so")
    if not os.path.exists(found):
        # The loader would go on without it, and so would every test.
        raise Failed(f"{found} is missing: build it with mpiio-cache/build")
    return found


@functools.cache
def sanitizer(build):
    """The library that must be loaded first if the build has a sanitizer, else nothing."""
    agent = os.path.join(build, "dynims-mpiio-agent")
    libraries = subprocess.run(["ldd", agent], capture_output=True, text=True, check=False).stdout
    found = re.search(r"=> (\S*/lib[at]san\S*)", libraries)
    return found.group(1) if found else ""


# The MPI libraries leak; a finding ends the program.
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=0:exitcode=99", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:exitcode=99"}


def patient(build):
    """What makes ranks sleep that wait: there are fewer processors than ranks."""
    library = os.path.join(build, "libpatient.so")
    return library if os.path.exists(library) else ""


def enter(namespace):
    """What starts a program in a network namespace."""
    return [] if namespace is None else ["ip", "netns", "exec", namespace]


def environment(build, mpi, settings, preload=""):
    """The environment of a program of its own, without mpirun, under the cache."""
    names = {"directory": "DYNIMS_MPIIO", "paths": "DYNIMS_MPIIO_PATHS", "mode": "DYNIMS_MPIIO_MODE"}
    result = dict(os.environ, **OPENMPI, **(SANITIZERS if sanitizer(build) else {}))
    result["LD_PRELOAD"] = ":".join(each for each in (sanitizer(build), preload, library(build, mpi), patient(build)) if each)
    result.update({names.get(key, key): value for key, value in settings.items() if key != "namespace"})
    return result


# mpirun of MPICH 4.2 ends with 0 after some of the runs in which ranks did not (https://github.com/pmodels/mpich/issues/7057): each rank keeps
# such a code in a file, and mpirun's own comes first.
KEEP_CODE = ["sh", "-c", '"$@" || { code=$?; echo $code >>"$0"; exit $code; }']
RETURN_CODE = ["sh", "-c", 'rm -f "$0"; "$@"; code=$?; if [ $code = 0 ] && [ -e "$0" ]; then read -r code <"$0"; fi; exit $code']


def command(build, mpi, groups, preload=""):
    """mpirun for groups of ranks, each (ranks, settings, program with arguments)."""
    codes = os.path.join(groups[0][1]["TMPDIR"], "exit-codes")
    result = [*RETURN_CODE, codes, "mpirun." + mpi]
    for number, (ranks, settings, program) in enumerate(groups):
        mine = environment(build, mpi, settings, preload)
        changed = [f"{key}={value}" for key, value in mine.items() if os.environ.get(key) != value]
        # mpirun itself runs without the library.
        result += [":"] * (number > 0) + ["-n", str(ranks), *KEEP_CODE, codes, *enter(settings.get("namespace")), "env", *changed, *program]
    return result


def start(build, mpi, groups, output, preload="", errors=subprocess.STDOUT):
    """Starts mpirun for groups of ranks; errors go to the output, too, unless a file is given for them."""
    environment_of_mpirun = dict(os.environ, **OPENMPI, **(SEVERAL_PROGRAMS if len(groups) > 1 else {}), TMPDIR=groups[0][1]["TMPDIR"])
    return subprocess.Popen(command(build, mpi, groups, preload), stdout=output, stderr=errors, stdin=subprocess.DEVNULL,
                            env=environment_of_mpirun)
