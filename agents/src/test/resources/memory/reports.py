"""Says of each sample whether the collectd agent would send it by exception: 1 or 0, a line each. Arguments: the agent's folder, the
heartbeat in seconds, the tolerance. Standard input has a line for each sample: nanoseconds, MemTotal, MemAvailable, microseconds waited."""

import sys
import types

sys.dont_write_bytecode = True
folder, heartbeat, tolerance = sys.argv[1:]
sys.modules["collectd"] = types.SimpleNamespace(
    Values=lambda **_: None, register_config=lambda _: None, register_read=lambda _: None
)
sys.path.insert(0, folder)

import dynims_memory  # noqa: E402

reports = dynims_memory.ByException(float(heartbeat), float(tolerance))
for line in sys.stdin:
    nanos, total, available, micros = map(int, line.split())
    values = [total, 0, available] + [0] * (len(dynims_memory.FIELDS) - 2) + [micros, float("nan")]
    print(int(reports.is_due(values, nanos)))
