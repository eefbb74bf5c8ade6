"""Suite types: random and very large memory types, compared with what MPI itself makes of them."""

import itertools
import time

from .agent import MIB
from .processes import Failed
from .workplace import Workplace

MODES = ("write-through", "write-back")
MAX_BYTES = 4 * MIB
STEPS = 300


def types(options):
    """Large types once, in a mode that the seed chooses; random ones until the time is over."""
    until = time.monotonic() + options.seconds
    for mpi in options.mpi:
        one(options, mpi, MODES[options.seed % 2], [])
    for seed in itertools.count(options.seed):
        for mpi, mode in itertools.product(options.mpi, MODES):
            one(options, mpi, mode, [str(STEPS), str(seed)])
        if time.monotonic() > until:
            return


def one(options, mpi, mode, arguments):
    label = f"types: {mpi}, {mode}, " + (f"seed {arguments[1]}" if arguments else "large types")
    begin = time.monotonic()
    with Workplace(options.build) as work:
        agent = work.agent(max_bytes=MAX_BYTES).start("--capacity", str(MAX_BYTES))
        try:
            program = [f"{work.build}/types-{mpi}", work.at("cached/file"), work.at("plain/other"), *arguments]
            work.run_ranks(mpi, [(1, work.settings(agent, mode), program)])
            agent.check_empty()
            agent.stop()
        except Failed as failure:
            raise Failed(f"{label}: {failure}") from failure
    print(f"{label}: {time.monotonic() - begin:.1f} s", flush=True)
