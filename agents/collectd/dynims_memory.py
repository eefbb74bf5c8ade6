"""Reads the memory of a node for collectd and sends it as one message a tick.

The values come from one read of /proc/meminfo, so they belong together; they are bytes.
collectd's own memory plugin sends six separate messages and knows neither MemAvailable nor Shmem.

The last value is what /proc/meminfo does not tell: pages that are free but still in the lists that
each processor keeps. From Linux 6.7 on these lists may take an eighth of the memory, for many
seconds after something large was freed, and MemFree and MemAvailable count it as if it were in use.
"""

import os
import re

import collectd

MEMINFO = "/proc/meminfo"
ZONEINFO = "/proc/zoneinfo"

# The order of the data sources of dynims_memory in types.db, where per_cpu_free comes after them.
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

# The lists of one processor in one zone.
PER_CPU_COUNT = re.compile(rb"^ +count: +(\d+)", re.MULTILINE)
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")


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


def per_cpu_free(text):
    """The bytes in all processors' lists, from the text of /proc/zoneinfo."""
    return sum(map(int, PER_CPU_COUNT.findall(text))) * PAGE_SIZE


class MemoryReader:
    """Keeps the first file open: reading it again at offset 0 takes a new snapshot."""

    def __init__(self):
        self.file = None
        self.message = collectd.Values(plugin="dynims", type="dynims_memory")

    def init(self):
        self.file = os.open(MEMINFO, os.O_RDONLY | os.O_CLOEXEC)

    def read(self):
        values = parse(os.pread(self.file, READ_SIZE, 0))
        # Longer than one read on a large node, and its parts need not be of one moment.
        with open(ZONEINFO, "rb", buffering=1 << 20) as zoneinfo:
            values.append(per_cpu_free(zoneinfo.read()))
        self.message.dispatch(values=values)


READER = MemoryReader()
collectd.register_init(READER.init)
collectd.register_read(READER.read)
