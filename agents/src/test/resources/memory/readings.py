"""Prints what the collectd agent makes of NAME.meminfo and NAME.zoneinfo, on a machine with pages of so many bytes:
MemTotal and what is in use, or why there is no sample. Arguments: the agent's folder, FILES/NAME, bytes."""

import sys
import types

sys.dont_write_bytecode = True
folder, name, page_bytes = sys.argv[1:]
samples = []
sys.modules["collectd"] = types.SimpleNamespace(
    Values=lambda **_: types.SimpleNamespace(dispatch=lambda values: samples.append(values)),
    register_config=lambda _: None,
    register_read=lambda _: None,
    notice=lambda _: None,
)
sys.path.insert(0, folder)

import dynims_memory  # noqa: E402

dynims_memory.MEMINFO = name + ".meminfo"
dynims_memory.ZONEINFO = name + ".zoneinfo"
dynims_memory.PAGE_SIZE = int(page_bytes)
try:
    dynims_memory.READER.read()
    print(samples[0][0], dynims_memory.in_use(samples[0]), sep="\t")
except ValueError as error:
    print("refused", error, sep="\t")
