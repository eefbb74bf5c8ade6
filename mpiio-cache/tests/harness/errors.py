"""Suite errors: a file system that is full, over a quota, broken or hung, and what programs are told of it."""

import contextlib
import os
import random
import subprocess
import time

from . import processes
from .agent import MIB
from .processes import Failed
from .workplace import Workplace

MODES = ("write-through", "write-back")
CASES = ("full", "quota", "broken", "too-large", "close", "middle-of-write", "middle-of-read", "durable", "durable-failed", "collective",
         "non-blocking", "own-handler", "fatal")
FILE_BYTES = 8 * MIB


@contextlib.contextmanager
def failing_file_system(work):
    """What is cached is on slowfs from now on. Gives the paths of the folder behind it, and of its control file."""
    backing = work.at("backing")
    control = work.at("control")
    mount = work.at("cached")
    os.mkdir(backing)
    process = subprocess.Popen([os.path.join(work.build, "slowfs"), backing, mount, "100000", "0", control], stdin=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 10
        while not os.path.ismount(mount):
            if process.poll() is not None or time.monotonic() > until:
                raise Failed("slowfs has not started")
            time.sleep(0.005)
        yield backing, control
    finally:
        # Whoever has files open keeps it.
        processes.end_all()
        subprocess.run(["umount", "--lazy", mount], check=False)
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        process.wait()


def errors(options):
    if not os.access("/dev/fuse", os.W_OK):
        raise Failed("errors: needs /dev/fuse, for a file system that fails")
    for mpi in options.mpi:
        for mode in MODES:
            for case in CASES:
                one_case(options, mpi, mode, case)
            print(f"errors: {mpi}, {mode}: {len(CASES)} cases as they should be", flush=True)


def one_case(options, mpi, mode, case):
    label = f"errors: {mpi}, {mode}, {case}"
    with Workplace(options.build) as work, failing_file_system(work) as (backing, control):
        file = os.path.join(backing, "file")
        with open(file, "wb") as to:
            to.write(random.Random(options.seed).randbytes(FILE_BYTES))
        agent = work.agent(max_bytes=FILE_BYTES * 2).start("--capacity", str(FILE_BYTES * 2))
        program = [f"{work.build}/errors-{mpi}", case, work.at("cached/file"), file, control]
        ranks = work.start_ranks(mpi, [(2, work.settings(agent, mode), program)])
        status = processes.wait(ranks, 60, "the MPI program")
        if (status == 0) == (case == "fatal"):
            raise Failed(f"{label}: it has ended with {status}")
        if case != "fatal":
            agent.stop()
