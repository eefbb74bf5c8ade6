"""Measures the bytes that the directory of a tier occupies.

If the directory is a file system, the file system knows. Otherwise the bytes allocated to the files
below the directory are added up: a folder is listed again only when it has changed, and few files are
measured more than once. A file system that holds nothing else that has a name tells what has changed
since. It is not asked for more: other programs may hold files in it that have no name any more, as many
do in /dev/shm, and their memory is not the tier's.

Nothing in the tier is kept open, for that would keep its file system from being unmounted.
"""

import itertools
import os
import stat
import time

# Alluxio's folder of blocks that are being written; a whole block is moved to the folder above it,
# where it never changes. They lie in up to a thousand folders in it, most of them empty, which are
# visited in turns: a new block may be missing from the sum for three seconds.
BEING_WRITTEN = ".tmp_blocks"
FOLDERS_PER_VISIT = 32

# A file that was written lately is measured again at every tick, unless it is a whole block. All others
# are measured again in turns, so none stays wrong for long.
FILES_PER_VISIT = 16
LATELY_NANOS = 2_000_000_000

# A change this recent may be followed by another one with the same time stamp.
TIMESTAMP_GRAIN_NANOS = 20_000_000

# What is on any other file system is not in memory, and so no part of the memory in use.
IN_MEMORY = (b"tmpfs", b"ramfs", b"hugetlbfs")

# A sum is reused for this many times what it cost; that is less than a tick up to some thousand files.
REUSE_PER_COST = 50


def now_nanos(clock):
    """The time of a clock; Python has time_ns() and the like from 3.7 on, and collectd of RHEL 8 has 3.6."""
    return int(time.clock_gettime(clock) * 1e9)


class TierDirectory:
    """The directory of a tier, which may come, go, or be mounted at any time."""

    def __init__(self, path):
        self.path = path
        self.identity = None
        self.mount = None
        self.parent = None
        self.files = None
        self.in_use_then = None

    def used_bytes(self):
        """The bytes in use. Raises an OSError if the directory is missing, unreadable or not in memory."""
        at = os.stat(self.path)
        if self.identity != (at.st_dev, at.st_ino):
            self.open()
            self.identity = (at.st_dev, at.st_ino)
        in_use = self.in_use()
        if self.mount == self.path and in_use is not None:
            return in_use
        if self.files.is_due() and (in_use is None or in_use != self.in_use_then):
            self.in_use_then = None  # Until the sum is known.
            self.files.measure(visits_all=in_use is not None)
            self.in_use_then = in_use = self.in_use()
        if in_use is None or self.in_use_then is None:
            return self.files.bytes
        return max(0, self.files.bytes + in_use - self.in_use_then)

    def in_use(self):
        """The bytes in use in the file system; None if files of others may have names in it."""
        if self.mount == self.path or (self.mount and self.parent.is_alone()):
            found = os.statvfs(self.mount)
            if found.f_blocks > 0:  # A tmpfs of no given size does not count its blocks.
                return (found.f_blocks - found.f_bfree) * found.f_frsize
        return None

    def open(self):
        kind = mount_of(self.path)[1]
        if kind not in IN_MEMORY:
            raise OSError("%s is on %s, which is not in memory" % (self.path, kind.decode()))
        above = os.path.dirname(os.path.realpath(self.path))
        if is_whole_file_system(self.path, above):
            self.mount = self.path
        elif is_whole_file_system(above, os.path.dirname(above)):
            self.mount = above
        else:
            self.mount = None
        self.parent = Parent(above)
        self.files = Files(self.path)
        self.in_use_then = None


def is_whole_file_system(path, above):
    """Whether a file system is mounted at path, and not only a folder of one, as in containers."""
    return mount_id(path) != mount_id(above) and mount_of(path)[0] == b"/"


def mount_of(path):
    """The root, within its file system, of the mount that path is in, and the file system's type."""
    mount = mount_id(path)
    with open("/proc/self/mountinfo", "rb") as mounts:
        for line in mounts:
            fields = line.split()
            if fields[0] == mount:
                return fields[3], fields[fields.index(b"-", 6) + 1]
    raise OSError("%s has just been mounted or unmounted" % path)


def mount_id(path):
    """The id of the mount that path is in. A file system may be mounted many times, here and there."""
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        with open("/proc/self/fdinfo/%d" % folder, "rb") as lines:
            return next(line.split()[1] for line in lines if line.startswith(b"mnt_id:"))
    finally:
        os.close(folder)


class Parent:
    """The folder that holds the tier's directory."""

    def __init__(self, path):
        self.path = path
        self.modified = Modified()
        self.alone = False

    def is_alone(self):
        """Whether the directory is all that it holds."""
        at = os.stat(self.path)
        if self.modified.is_new(at):
            try:
                with os.scandir(self.path) as entries:
                    self.alone = len(list(itertools.islice(entries, 2))) == 1
            except PermissionError:
                self.alone = False
            self.modified.accept(at)
        return self.alone


class Modified:
    """When a folder had been modified at the time it was listed."""

    def __init__(self):
        self.nanos = None

    def is_new(self, at):
        return at.st_mtime_ns != self.nanos

    def accept(self, at):
        settled = abs(now_nanos(time.CLOCK_REALTIME) - at.st_mtime_ns) > TIMESTAMP_GRAIN_NANOS
        self.nanos = at.st_mtime_ns if settled else None


class Turns:
    """Hands out some of the things at a time, until all have had their turn."""

    def __init__(self, things):
        self.things = things
        self.rest = iter(())

    def take(self, count):
        taken = list(itertools.islice(self.rest, count))
        if len(taken) < count:
            self.rest = iter(list(self.things))
        return taken


class Folder:
    """A folder as it was listed: its files with their sizes in bytes, and the folders in it."""

    def __init__(self, path):
        self.path = path
        self.modified = Modified()
        self.sizes = {}
        self.sizes_in_turn = Turns(self.sizes)
        self.folders = {}
        self.folders_in_turn = Turns(self.folders)
        # The names of those that are new, or could not be listed: without them the sum is unknown.
        self.unlisted = set()
        self.visits_in_turns = os.path.basename(path) == BEING_WRITTEN
        self.has_whole_blocks = False

    def due_folders(self, visits_all):
        """The names of the folders to visit now."""
        if self.visits_in_turns and not visits_all:
            in_turn = self.folders_in_turn.take(FOLDERS_PER_VISIT)
            return self.unlisted.union(in_turn) & self.folders.keys()
        return list(self.folders)

    def clear(self):
        """Forgets all below, and returns how many bytes that was."""
        gone = sum(self.sizes.values())
        self.sizes.clear()
        return gone + sum(folder.clear() for folder in self.folders.values())


class Files:
    """The files below a folder."""

    def __init__(self, path):
        self.top = Folder(path)
        self.bytes = 0
        self.written_lately = set()
        self.visits_all = False
        self.valid_until_nanos = 0

    def is_due(self):
        return now_nanos(time.CLOCK_MONOTONIC) >= self.valid_until_nanos

    def measure(self, visits_all):
        """Makes the sum; with visits_all, no folder of blocks being written has to wait for its turn."""
        self.visits_all = visits_all
        start_nanos = now_nanos(time.CLOCK_THREAD_CPUTIME_ID)
        self.update()
        cost_nanos = now_nanos(time.CLOCK_THREAD_CPUTIME_ID) - start_nanos
        self.valid_until_nanos = now_nanos(time.CLOCK_MONOTONIC) + REUSE_PER_COST * cost_nanos

    def update(self):
        again, self.written_lately = self.written_lately, set()
        try:
            self.measure_all(again)
        except OSError:
            self.written_lately |= again  # Until they can be measured, the sum is unknown.
            raise
        self.visit(self.top)

    def visit(self, folder):
        at = os.stat(folder.path)
        if folder.modified.is_new(at):
            self.list(folder)
            folder.modified.accept(at)
        due_files = folder.sizes_in_turn.take(FILES_PER_VISIT)
        self.measure_all((folder, name) for name in due_files)
        for name in folder.due_folders(self.visits_all):
            folder.unlisted.add(name)
            try:
                self.visit(folder.folders[name])
            except (FileNotFoundError, NotADirectoryError):
                # Just removed, or replaced by a file: this folder is to be listed again.
                self.bytes -= folder.folders.pop(name).clear()
                folder.modified = Modified()
            folder.unlisted.discard(name)

    def list(self, folder):
        names = set(os.listdir(folder.path))
        folder.has_whole_blocks = BEING_WRITTEN in names
        for name in folder.sizes.keys() - names:
            self.bytes -= folder.sizes.pop(name)
        for name in folder.folders.keys() - names:
            self.bytes -= folder.folders.pop(name).clear()
            folder.unlisted.discard(name)
        for name in names - folder.sizes.keys() - folder.folders.keys():
            self.measure_one(folder, name)

    def measure_all(self, files):
        for folder, name in files:
            if name in folder.sizes:  # It may have gone since.
                self.measure_one(folder, name)

    def measure_one(self, folder, name):
        path = "%s/%s" % (folder.path, name)
        try:
            file = os.lstat(path)
        except FileNotFoundError:
            self.bytes -= folder.sizes.pop(name, 0)
            return
        if stat.S_ISDIR(file.st_mode):
            self.bytes -= folder.sizes.pop(name, 0)
            folder.folders[name] = Folder(path)
            folder.unlisted.add(name)
            return
        size = file.st_blocks * 512
        self.bytes += size - folder.sizes.get(name, 0)
        folder.sizes[name] = size
        written = abs(now_nanos(time.CLOCK_REALTIME) - file.st_mtime_ns) < LATELY_NANOS
        if written and not folder.has_whole_blocks:
            self.written_lately.add((folder, name))
