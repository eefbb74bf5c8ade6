"""Reads the memory of a node for collectd and sends it as one message a tick.

All values come from one read of /proc/meminfo, so they belong together; they are bytes.
collectd's own memory plugin sends six separate messages and knows neither MemAvailable nor Shmem.
"""

import os

import collectd

MEMINFO = "/proc/meminfo"

# The order of the data sources of dynims_memory in types.db.
FIELDS = (
    b"MemTotal",
    b"MemFree",
    b"MemAvailable",
    b"Buffers",
    b"Cached",
    b"Shmem",
    b"SReclaimable",
    b"SUnreclaim",
)

# One read must take the whole file, for a second one would be of another moment. It has 1.5 kB.
READ_SIZE = 16384


def parse(text):
    """The bytes of FIELDS, in their order, from the text of /proc/meminfo."""
    kilobytes = {}
    for line in text.splitlines():
        name, _, rest = line.partition(b":")
        if name in FIELDS:
            kilobytes[name] = int(rest.split()[0])
    missing = [name.decode() for name in FIELDS if name not in kilobytes]
    if missing:
        raise ValueError("%s has no %s" % (MEMINFO, ", ".join(missing)))
    return [kilobytes[name] * 1024 for name in FIELDS]


class MemoryReader:
    """Keeps the file open: reading it again at offset 0 takes a new snapshot."""

    def __init__(self):
        self.file = None
        self.message = collectd.Values(plugin="dynims", type="dynims_memory")

    def init(self):
        self.file = os.open(MEMINFO, os.O_RDONLY | os.O_CLOEXEC)

    def read(self):
        self.message.dispatch(values=parse(os.pread(self.file, READ_SIZE, 0)))


READER = MemoryReader()
collectd.register_init(READER.init)
collectd.register_read(READER.read)
