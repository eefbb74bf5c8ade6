"""Reads the memory of a node for collectd and sends it as one message a tick.

The memory's values come from one read of /proc/meminfo, so they belong together; they are bytes.
collectd's own memory plugin sends six separate messages and knows neither MemAvailable nor Shmem.

The last of them is what /proc/meminfo does not tell: pages that are free but still in the lists that
each processor keeps. From Linux 6.7 on these lists may take an eighth of the memory, for many
seconds after something large was freed, and MemFree and MemAvailable count it as if it were in use.
In a container, one of the two files may be the host's; then these pages count as in use.

Where containers play nodes, a node is the control group that holds its containers. With CgroupRoot
the values are then those of the group above this process's own: MemTotal is its limit.

The message also has what the tier in TierDirectory occupies, which Tier names, and for how long some
task had to wait for memory. Either is NaN if it is not known.

With Heartbeat, the node reports by exception: it is sampled every tick, but a sample is sent only if
it differs from the last one sent by more than Tolerance, a part of MemTotal, or if none was sent for
Heartbeat seconds. Then the message has both figures, which are NaN otherwise; Tolerance in bytes.

The time of AliveFile is that of the last sample that was sent, for whoever restarts a collectd that
hangs. A sample counts when it is dispatched, whether or not Kafka is there.
"""

import math
import os
import re
import time

import collectd

from dynims_tier import TierDirectory, now_nanos

MEMINFO = "/proc/meminfo"
ZONEINFO = "/proc/zoneinfo"

# The order of the data sources of dynims_memory in types.db, where per_cpu_free, psi_some_micros,
# tier_used, heartbeat and tolerance come after them.
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
# What the law is computed from. Others may be missing, as in sandboxes, and are NaN then.
REQUIRED = (b"MemTotal", b"MemAvailable")

# One read must take all of meminfo, for a second one would be of another moment. It has 1.5 kB.
READ_SIZE = 16384

FIELD = re.compile(rb"^(" + rb"|".join(FIELDS) + rb"): +(\d+) kB$", re.MULTILINE)

# The lists of one processor in one zone, and the pages of a zone that the kernel gives out.
PER_CPU_COUNT = re.compile(rb" count: +(\d+)")
MANAGED = re.compile(rb" managed +(\d+)")
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")

PRESSURE = "/proc/pressure/memory"
# The microseconds since the kernel started, or since the group was made.
SOME_TOTAL = re.compile(rb"^some .* total=(\d+)$", re.MULTILINE)


def parse(text):
    """The bytes of FIELDS, in their order, from the text of /proc/meminfo."""
    kilobytes = dict(FIELD.findall(text))
    missing = [name.decode() for name in REQUIRED if name not in kilobytes]
    if missing:
        raise ValueError("%s has no %s; Linux has it from 3.14 on" % (MEMINFO, ", ".join(missing)))
    total, available = (int(kilobytes[name]) for name in REQUIRED)
    if total == 0 or available > total:
        raise ValueError(
            "%s: MemAvailable is above MemTotal, or that is 0: /proc is partly another machine's"
            % MEMINFO
        )
    return [int(kilobytes[name]) * 1024 if name in kilobytes else math.nan for name in FIELDS]


def per_cpu_free(text, total):
    """The bytes in all processors' lists, from the text of /proc/zoneinfo; None if that is not of
    the machine whose MemTotal is total. A machine's zones have as many pages as MemTotal says, or
    fewer while the kernel has not given out all of them; far fewer are pages of another size."""
    managed = sum(map(int, MANAGED.findall(text))) * PAGE_SIZE
    if not total // 2 <= managed <= total + total // 100:
        return None
    return sum(map(int, PER_CPU_COUNT.findall(text))) * PAGE_SIZE


# Of a control group: its limit, its usage, and the names in its memory.stat of what is said in
# FIELDS' terms. Version 1 does not tell of the kernel's caches; they count as in use there.
VERSION_1 = (
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    {
        b"total_cache": b"Cached",
        b"total_shmem": b"Shmem",
        b"total_active_file": b"file",
        b"total_inactive_file": b"file",
    },
)
VERSION_2 = (
    "memory.max",
    "memory.current",
    {
        b"file": b"Cached",
        b"shmem": b"Shmem",
        b"active_file": b"file",
        b"inactive_file": b"file",
        b"slab_reclaimable": b"SReclaimable",
        b"slab_unreclaimable": b"SUnreclaim",
    },
)


def group_of(pid, top):
    """The control group at or below the folder top that the process is in."""
    for folder, _, _ in os.walk(top):
        try:
            # The kernel writes process ids as the reader's own PID namespace has them.
            if b"%d" % pid in read_file(os.path.join(folder, "cgroup.procs")).split():
                return folder
        except OSError:
            pass  # It has just ended, or holds threads only.
    raise ValueError("no control group below %s has process %d" % (top, pid))


def read_again(file):
    """All of an open file of /proc, from its beginning: a new snapshot."""
    parts = []
    offset = 0
    while True:
        part = os.pread(file, READ_SIZE, offset)
        if not part:
            return b"".join(parts)
        parts.append(part)
        offset += len(part)


def read_file(path):
    with open(path, "rb", buffering=0) as file:
        return file.read()


def touch(path):
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    os.utime(file)
    os.close(file)


class Pressure:
    """For how long some task had to wait for memory."""

    def __init__(self, path):
        try:
            self.file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.file = None  # The kernel does not measure it, or not for this group.

    def some_micros(self):
        if self.file is None:
            return math.nan
        try:
            found = SOME_TOTAL.search(os.pread(self.file, READ_SIZE, 0))
        except OSError:
            found = None
        return int(found[1]) if found else math.nan


class Meminfo:
    """The memory of this machine."""

    def __init__(self):
        # Kept open: reading them again at offset 0 takes a new snapshot, and half the time.
        self.meminfo = os.open(MEMINFO, os.O_RDONLY | os.O_CLOEXEC)
        try:
            self.zoneinfo = os.open(ZONEINFO, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.zoneinfo = None  # A sandbox may have none.
        self.pressure = Pressure(PRESSURE)
        self.is_whole = True

    def values(self):
        values = parse(os.pread(self.meminfo, READ_SIZE, 0))
        return values + [self.per_cpu_free(values[0])]

    def per_cpu_free(self, total):
        # More than one read gives, and its parts need not be of one moment.
        free = None if self.zoneinfo is None else per_cpu_free(read_again(self.zoneinfo), total)
        if free is None and self.is_whole:
            collectd.notice(
                "dynims_memory: %s is missing, or of another machine than %s:"
                " free pages in the processors' lists count as in use" % (ZONEINFO, MEMINFO)
            )
        self.is_whole = free is not None
        return free or 0


class NodeCgroup:
    """The memory of the control group that holds the node's containers, this one's among them."""

    def __init__(self, root, total):
        """Takes where the control groups are mounted, and what to take for a missing limit."""
        unified = os.path.exists(os.path.join(root, "cgroup.controllers"))
        self.limit, self.usage, self.names = VERSION_2 if unified else VERSION_1
        top = root if unified else os.path.join(root, "memory")
        own = group_of(os.getpid(), top)
        if os.path.samefile(own, top):
            raise ValueError("this process is in no control group below %s" % top)
        self.folder = os.path.dirname(own)
        self.pressure = Pressure(os.path.join(self.folder, "memory.pressure"))
        self.total = total

    def values(self):
        limit = self.read(self.limit).strip()
        total = min(self.total, self.total if limit == b"max" else int(limit))
        fields = dict.fromkeys(FIELDS + (b"file",), 0)
        for line in self.read("memory.stat").splitlines():
            name, _, count = line.partition(b" ")
            if name in self.names:
                fields[self.names[name]] += int(count)
        usage = int(self.read(self.usage))
        fields[b"MemTotal"] = total
        fields[b"MemFree"] = max(0, total - usage)
        # Files' pages can be reclaimed. Those of tmpfs cannot, and are not among them.
        reclaimable = fields[b"file"] + fields[b"SReclaimable"]
        fields[b"MemAvailable"] = min(total, max(0, total - usage + reclaimable))
        # A freed page leaves its group at once, in whose list it may be.
        return [fields[name] for name in FIELDS] + [0]

    def read(self, name):
        return read_file(os.path.join(self.folder, name))


class Tier:
    """What a tier occupies; logs when that stops being known, and when it is known again."""

    def __init__(self, name, directory):
        self.name = name
        self.directory = TierDirectory(directory)
        self.is_known = True

    def used_bytes(self):
        try:
            used = self.directory.used_bytes()
        except OSError as error:
            if self.is_known:
                collectd.warning(
                    "dynims_memory: cannot measure the tier %s: %s" % (self.name, error)
                )
            self.is_known = False
            return math.nan
        if not self.is_known:
            collectd.notice("dynims_memory: can measure the tier %s now" % self.name)
        self.is_known = True
        return used


class EveryTick:
    """Sends every sample."""

    figures = [math.nan, math.nan]

    def is_due(self, values, nanos):
        return True


class ByException:
    """Sends the samples that differ from the last one sent, and one whenever a heartbeat is due."""

    # The share of the time in which tasks may wait for memory without a report.
    MAX_STALLED = 0.01

    def __init__(self, heartbeat, tolerance):
        self.heartbeat = heartbeat
        self.tolerance = tolerance
        self.figures = [heartbeat, math.nan]
        self.sent = None
        self.sent_nanos = 0
        self.last_nanos = 0

    def is_due(self, values, nanos):
        """Whether to send the values of a message, sampled at this time; then they count as sent."""
        allowed = self.tolerance * values[0]
        due = self.sent is None or self.is_late(nanos) or self.differ(values, nanos, allowed)
        self.last_nanos = nanos
        if due:
            self.sent, self.sent_nanos = list(values), nanos
            self.figures = [self.heartbeat, allowed]
        return due

    def is_late(self, nanos):
        """Whether this tick is closer to the time when a heartbeat is due than the next one will be."""
        tick = nanos - self.last_nanos
        return nanos + tick / 2 >= self.sent_nanos + self.heartbeat * 1e9

    def differ(self, values, nanos, allowed):
        micros, tier = values[-2:]
        sent_micros, sent_tier = self.sent[-2:]
        stalled = (micros - sent_micros) / ((nanos - self.sent_nanos) / 1e3)
        return (
            values[0] != self.sent[0]
            or abs(in_use(values) - in_use(self.sent)) > allowed
            or abs(tier - sent_tier) > allowed  # NaN is not.
            or math.isnan(tier) != math.isnan(sent_tier)
            or math.isnan(micros) != math.isnan(sent_micros)
            or stalled > self.MAX_STALLED
        )


def in_use(values):
    """The memory in use in the values of a message, as DynIMS's job reckons it."""
    total, available, free = values[0], values[2], values[len(FIELDS)]
    return total - min(total, available + free)


class MemoryReader:
    """Sends what its source says, every tick or by exception."""

    def __init__(self):
        self.cgroup_root = None
        self.memory_total = None
        self.tier = None
        self.alive_file = None
        self.source = None
        self.reports = EveryTick()
        self.message = collectd.Values(plugin="dynims", type="dynims_memory")

    def configure(self, config):
        settings = {node.key: node.values[0] for node in config.children}
        self.cgroup_root = settings.pop("CgroupRoot", None)
        total = settings.pop("MemoryTotal", None)
        self.memory_total = None if total is None else int(total)
        name = settings.pop("Tier", None)
        directory = settings.pop("TierDirectory", None)
        heartbeat = settings.pop("Heartbeat", None)
        tolerance = settings.pop("Tolerance", None)
        self.alive_file = settings.pop("AliveFile", None)
        if settings:
            raise ValueError("dynims_memory has no setting %s" % ", ".join(settings))
        if (name is None) != (directory is None):
            raise ValueError("dynims_memory needs both of Tier and TierDirectory, or neither")
        if (heartbeat is None) != (tolerance is None):
            raise ValueError("dynims_memory needs both of Heartbeat and Tolerance, or neither")
        if heartbeat is not None:
            self.reports = ByException(float(heartbeat), float(tolerance))
        if name is not None:
            self.tier = Tier(name, directory)
            self.message.type_instance = name

    def read(self):
        # Here, so that it is tried again where it failed.
        if self.source is None:
            self.source = self.open()
        tier_used = math.nan if self.tier is None else self.tier.used_bytes()
        values = self.source.values()
        values += [self.source.pressure.some_micros(), tier_used]
        if self.reports.is_due(values, now_nanos(time.CLOCK_MONOTONIC)):
            self.message.dispatch(values=values + self.reports.figures)
            if self.alive_file is not None:
                touch(self.alive_file)

    def open(self):
        meminfo = Meminfo()
        if self.cgroup_root is None:
            return meminfo
        machine_total = meminfo.values()[0]
        total = self.memory_total or machine_total
        if total > machine_total:
            collectd.warning("dynims_memory: MemoryTotal %d is above this machine's memory, %d, which counts" % (total, machine_total))
        return NodeCgroup(self.cgroup_root, min(total, machine_total))


READER = MemoryReader()
collectd.register_config(READER.configure)
collectd.register_read(READER.read)
