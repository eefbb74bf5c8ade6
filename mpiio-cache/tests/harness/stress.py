"""Suite stress: processes on one file by the cache alone, without MPI, killed and started again while its capacity swings."""

from .workplace import Workplace


def stress(options):
    with Workplace(options.build) as work:
        command = [f"{options.build}/stress", work.path, str(options.seconds), str(options.seed)]
        print(work.run(command, options.seconds + 120).strip(), flush=True)
