"""Suite stress: processes on one file by the cache alone, without MPI, killed and started again while its capacity swings."""

from . import mpi
from .workplace import Workplace


def stress(options):
    threads = ["--threads"] if "libtsan" in mpi.sanitizer(options.build) else []
    with Workplace(options.build) as work:
        command = [f"{options.build}/stress", work.path, str(options.seconds), str(options.seed), *threads]
        print(work.run(command, options.seconds + 120).strip(), flush=True)
