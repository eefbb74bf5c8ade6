"""Suite identity: programs that open, rename, link, delete and make again files, beside other programs and agents that come and go. What
each reads is what its file has, and in the end every file has what was written to it and nothing else."""

import contextlib
import errno
import functools
import itertools
import os
import random
import shutil
import tempfile
import time

from . import processes
from .agent import MIB
from .errors import Control, failing_file_system
from .processes import Failed
from .program import Program, content, content_on_disk, put, runs_of, same
from .workplace import Workplace

MAX_BYTES = 4 * MIB
# As the agents of the tests have it.
BLOCK_BYTES = 64 * 1024
ERRORS = (errno.EIO, errno.ENOSPC, errno.EDQUOT)
# Long enough that the agent does not flush by itself.
NEVER_MILLIS = "3600000"
TABLE = 1024
PROBES = 64


@contextlib.contextmanager
def disk():
    """A folder on the machine's disk, whose file system uses inodes again."""
    folder = tempfile.mkdtemp(prefix="dynims-mpiio-tests.", dir=os.environ.get("TMPDIR", "/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# ---- named cases, by their number in the review of the cache


def changed_while_two_open(work, name, folder):
    """A3: who opens a changed file finds nothing old in it, also while another program is just dropping that."""
    agent = work.agent(max_bytes=32 * MIB).start("--capacity", str(32 * MIB))
    path = os.path.join(folder, "input")
    programs = [Program(work, name, agent, "write-through", folder) for _ in range(2)]
    for turn in range(1, 12):
        put(path, turn, 24 * MIB)
        time.sleep(0.03)
        programs[0].do(f"open 0 {path}")
        programs[0].read(0, 0, 24 * MIB)
        programs[0].do("close 0")
        put(path, turn + 100, 24 * MIB)
        programs[0].start(f"open 0 {path}")
        programs[1].do(f"open 0 {path}")
        same("a file that has changed", programs[1].read(0, 23 * MIB, MIB), bytes([turn + 100]) * MIB)
        programs[0].answer()
        for program in programs:
            program.do("close 0")
    for program in programs:
        program.end()


def dirty_block_of_changed_file(work, name, folder):
    """A7: of a dirty block of a file that somebody else has changed, only the dirty bytes stay."""
    agent = work.agent(arguments=["--dirty-age", NEVER_MILLIS]).start("--capacity", str(MAX_BYTES))
    path = os.path.join(folder, "file")
    put(path, 1)
    first, second = (Program(work, name, agent, "write-back", folder) for _ in range(2))
    first.do(f"open 0 {path}")
    first.read(0, 0, 65536)
    first.do("write 0 8192 100 2")
    put(path, 3, 4096)
    second.do(f"open 0 {path}")
    same("what somebody else has written", second.read(0, 0, 4096), b"\3" * 4096)
    same("what was written here", second.read(0, 8192, 100), b"\2" * 100)
    first.do("close 0")
    second.do("close 0")
    same("the file", content(path)[8192:8292], b"\2" * 100)
    first.end()
    second.end()


def changed_before_first_write(work, name, folder):
    """A8: a writer's close does not hide what somebody else had written before it."""
    agent = work.agent().start("--capacity", str(MAX_BYTES))
    path = os.path.join(folder, "file")
    put(path, 1)
    program = Program(work, name, agent, "write-through", folder)
    time.sleep(0.03)
    program.do(f"open 0 {path}")
    program.read(0, 0, 65536)
    put(path, 2, 65536)
    program.do("write 0 200000 1 3")
    time.sleep(0.03)
    program.do("close 0")
    program.do(f"open 0 {path}")
    same("the file, opened again", program.read(0, 0, 65536), b"\2" * 65536)
    program.do("close 0")
    program.end()


def place_of(state):
    """Where the table of files is first looked at for a file, as the cache has it."""
    mask = (1 << 64) - 1
    hashed = (state.st_dev * 0x9E3779B97F4A7C15 & mask) ^ (state.st_ino * 0xC2B2AE3D27D4EB4F & mask)
    return (hashed >> 20) % TABLE


def arena_made_again(work, name, folder):
    """A9: an open file goes on with the arena that it has."""
    places = {}
    for number in itertools.count():
        path = os.path.join(folder, f"file{number}")
        put(path, number % 200 + 1)
        place = place_of(os.stat(path))
        if place in places:
            break
        places[place] = path
    first, second = places[place], path
    byte = content(first)[0]
    agent = work.agent().start("--capacity", str(MAX_BYTES))
    program = Program(work, name, agent, "write-through", folder)
    other = Program(work, name, agent, "write-through", folder)
    program.do(f"open 0 {first}")
    program.read(0, 0, 1000)
    agent.stop()
    agent.max_bytes = MAX_BYTES // 2
    agent.start("--recreate", "--capacity", str(agent.max_bytes))
    other.do(f"open 0 {second}")
    other.read(0, 0, 65536)
    program.do(f"open 1 {os.path.join(folder, 'file0')}")
    same("a file that was open before", program.read(0, 0, 65536), bytes([byte]) * 65536)
    program.end()
    other.end()


def made_again_with_dirty_blocks(work, name, folder):
    """A10: dirty blocks of a file that is gone are not written to the one that has its inode now."""
    path = os.path.join(folder, "out")
    for _ in range(20):
        put(path, 1)
        inode = os.stat(path).st_ino
        agent = work.agent(arguments=["--dirty-age", NEVER_MILLIS]).start("--capacity", str(MAX_BYTES))
        program = Program(work, name, agent, "write-back", folder)
        program.do(f"open 0 {path}")
        program.do("write 0 0 65536 2")
        program.kill()
        agent.kill()
        os.unlink(path)
        put(path, 3)
        if os.stat(path).st_ino == inode:
            break
        shutil.rmtree(agent.directory)
    else:
        return "not shown: inodes are not used again here"
    agent.arguments = ["--dirty-age", "10"]
    agent.start("--capacity", str(MAX_BYTES))
    time.sleep(0.5)
    same("the new file", content(path), b"\3" * 256 * 1024)
    return None


def deleted_while_open(work, name, folder):
    """A12: what was written before the last name was deleted is there as long as the file is open."""
    agent = work.agent(arguments=["--dirty-age", NEVER_MILLIS]).start("--capacity", str(MAX_BYTES))
    path = os.path.join(folder, "scratch")
    program = Program(work, name, agent, "write-back", folder)
    program.do(f"create 0 {path}")
    program.do("write 0 0 70000 5")
    program.do(f"delete {path}")
    same("a file without a name", program.read(0, 0, 70000), b"\5" * 70000)
    program.do("write 0 70000 10 6")
    same("a file without a name", program.read(0, 69999, 11), b"\5" + b"\6" * 10)
    program.do("close 0")
    program.end()


def one_of_two_names_deleted(work, name, folder):
    """A12: the delete of a link takes nothing from the file."""
    agent = work.agent(arguments=["--dirty-age", NEVER_MILLIS]).start("--capacity", str(MAX_BYTES))
    path = os.path.join(folder, "file")
    program = Program(work, name, agent, "write-back", folder)
    program.do(f"create 0 {path}")
    program.do("write 0 0 70000 5")
    os.link(path, path + ".link")
    program.do(f"delete {path}.link")
    same("a file with a link less", program.read(0, 0, 70000), b"\5" * 70000)
    program.do("close 0")
    same("the file", content(path), b"\5" * 70000)
    program.end()


def many_deleted(work, name, folder):
    """A12: files that are made and deleted leave room in the table."""
    # In memory, where no inode is used twice.
    folder = work.at("cached")
    agent = work.agent().start("--capacity", str(MAX_BYTES))
    program = Program(work, name, agent, "write-through", folder)
    path = os.path.join(folder, "temporary")
    for _ in range(1500):
        program.do(f"create 0 {path}")
        program.do("write 0 0 10 1")
        program.do("close 0")
        program.do(f"delete {path}")
    put(path, 7)
    before = agent.ask("status")
    program.do(f"open 0 {path}")
    program.read(0, 0, 65536)
    if agent.ask("status")["misses"] <= before["misses"]:
        raise Failed("after 1,500 files a new one is not cached")
    program.end()


def named_with_colon(work, name, folder):
    """What is before a colon is the kind of file system for MPICH, and a part of the name for Open MPI."""
    agent = work.agent().start("--capacity", str(MAX_BYTES))
    for number, file in enumerate(("data", "ufs:data", "run1:data", "run2:single")):
        put(os.path.join(folder, file), number + 1, 1000)
    program = Program(work, name, agent, "write-through", folder, folder)
    wanted = {"data": 1, "ufs:data": 1} if name == "mpich" else {"data": 1, "ufs:data": 2, "run1:data": 3, "run2:single": 4}
    for number, (file, byte) in enumerate(wanted.items()):
        program.do(f"open {number} {file}")
        same(file, program.read(number, 0, 1000), bytes([byte]) * 1000)
        program.do(f"close {number}")
    program.end()


def removed_while_mapped(work, name, folder):
    """A program whose arena an agent has removed, because nobody was connected to it, joins that of the next one."""
    agent = work.agent(arguments=["--dirty-age", NEVER_MILLIS]).start("--capacity", str(MAX_BYTES))
    path = os.path.join(folder, "file")
    put(path, 1)
    program = Program(work, name, agent, "write-back", folder)
    program.do(f"open 0 {path}")
    agent.kill()
    agent.start()
    agent.stop()
    agent.start("--capacity", str(MAX_BYTES))
    other = Program(work, name, agent, "write-back", folder)
    other.do(f"open 0 {path}")
    program.do(f"open 1 {path}")
    other.do("write 0 0 65536 2")
    same("what the other program has written", program.read(1, 0, 65536), b"\2" * 65536)
    # The agent refuses the file that was open before, and keeps the others of that program.
    time.sleep(1.1)
    program.read(0, 0, 1000)
    openers = [file["openers"] for file in agent.ask("files")["files"]]
    if openers != [2]:
        raise Failed(f"the file has {openers} openers in the arena")
    for each, number in ((program, 0), (program, 1), (other, 0)):
        each.do(f"close {number}")
    program.end()
    other.end()


def made_again_while_full(work, name, folder):
    """An agent does not give an arena away while the file system does not take what is dirty in it."""
    with failing_file_system(work) as (_, path):
        control = Control(path)
        agent = work.agent(arguments=["--dirty-age", NEVER_MILLIS]).start("--capacity", str(MAX_BYTES))
        program = Program(work, name, agent, "write-back", work.at("cached"))
        program.do(f"create 0 {work.at('cached/file')}")
        program.do("write 0 0 65536 3")
        control.fail("write", errno.ENOSPC)
        program.kill()
        agent.kill()
        agent.max_bytes = MAX_BYTES // 2
        try:
            agent.start("--recreate")
        except Failed as refusal:
            if "could not be written" not in str(refusal):
                raise
        else:
            raise Failed("an agent has given away an arena with dirty blocks")
        finally:
            control.mend()
        agent.start("--recreate")
        same("the file", content(work.at("cached/file")), b"\3" * 65536)


def forgotten_by_the_agent(work, name, folder):
    """A4: a file that is open keeps its blocks apart from those of thousands of others, also if the agent has forgotten it."""
    agent = work.agent(max_bytes=256 * MIB, arguments=["--dirty-age", "3600000"]).start("--capacity", str(256 * MIB))
    mesh = os.path.join(folder, "mesh")
    put(mesh, 255)
    program = Program(work, name, agent, "write-through", folder)
    program.do(f"open 0 {mesh}")
    program.read(0, 0, 1000)
    agent.kill()
    agent.start()
    # Entries stay for a minute.
    time.sleep(61)
    other = Program(work, name, agent, "write-back", folder)
    for number in range(2600):
        path = os.path.join(folder, f"step{number}")
        put(path, number % 250, 8192)
        other.do(f"open 0 {path}")
        other.read(0, 0, 8192)
        other.do("close 0")
    same("the mesh", program.read(0, 0, 8192), b"\xff" * 8192)
    other.end()
    # Its entry is that of another file, which gets larger and has dirty blocks: of one that was opened when all others were in use.
    later = [os.path.join(folder, f"step{number}") for number in range(576, 576 + 1024)]
    others = [Program(work, name, agent, "write-back", folder) for _ in range(16)]
    for number, path in enumerate(later):
        others[number // 64].do(f"open {number % 64} {path}")
        others[number // 64].do(f"write {number % 64} {MIB} 4096 251")
    program.do("write 0 8192 4096 252")
    program.do("sync 0")
    wanted = b"\xff" * 8192 + b"\xfc" * 4096 + b"\xff" * (256 * 1024 - 12288)
    same("the mesh in its file", content(mesh), wanted)
    same("the mesh and what follows it", program.read(0, 0, 2 * MIB), wanted)
    if int(program.ask("size 0")) != len(wanted):
        raise Failed(f"the mesh has {program.ask('size 0')} bytes")
    for number, path in enumerate(later):
        others[number // 64].do(f"close {number % 64}")
        same("another file in its file", content(path)[8192:], b"\0" * (MIB - 8192) + b"\xfb" * 4096)
    for other in others:
        other.end()
    program.do("close 0")
    program.end()


CASES = (changed_while_two_open, dirty_block_of_changed_file, changed_before_first_write, arena_made_again, made_again_with_dirty_blocks,
         deleted_while_open, one_of_two_names_deleted, many_deleted, removed_while_mapped, made_again_while_full,
         named_with_colon)
SLOW_CASES = (forgotten_by_the_agent,)


def one_case(options, name, case):
    with Workplace(options.build) as work, disk() as folder:
        try:
            return case(work, name, folder)
        except Failed as failure:
            raise Failed(f"identity: {name}, {case.__name__}: {failure}") from failure


def identity(options):
    if options.seeds is None:
        named_cases(options)
    until = time.monotonic() + options.seconds
    worlds = 0
    for seed in itertools.count(options.seed):
        for name, mode in itertools.product(options.mpi, ("write-back", "write-through")):
            print(f"identity: {one_world(options, name, mode, seed)}", flush=True)
            worlds += 1
        if time.monotonic() > until if options.seeds is None else worlds >= options.seeds:
            return


def named_cases(options):
    cases = CASES + (SLOW_CASES if options.seconds >= 120 else ())
    for name in options.mpi:
        for case in cases:
            remark = one_case(options, name, case)
            if remark:
                print(f"identity: {case.__name__}: {remark}", flush=True)
        print(f"identity: {name}: {len(cases)} cases as they should be", flush=True)


def one_world(options, name, mode, seed):
    """Odd ones are on a file system that fails now and then."""
    with contextlib.ExitStack() as stack:
        work = stack.enter_context(Workplace(options.build))
        if seed % 2 != 0:
            folder, control = work.at("cached"), Control(stack.enter_context(failing_file_system(work))[1])
        else:
            folder, control = stack.enter_context(disk()), None
        label = f"{name}, {mode}, {'failing, ' if control else ''}seed {seed}"
        world = World(work, name, mode, folder, random.Random(seed), control)
        try:
            world.run(options.steps)
        except Failed as failure:
            raise Failed(f"identity: {label}, step {world.step}, {world.doing}: {failure}") from failure
        finally:
            world.mend()
        return f"{label}: {world.counts()}"


# ---- the model


class File:
    """What a file ought to have."""

    def __init__(self):
        self.bytes = bytearray()
        self.handles = 0
        # Opened before there was another arena: for the cache, who opens it now is on another node.
        self.is_of_earlier_arena = False

    def write(self, offset, length, byte):
        if offset > len(self.bytes):
            self.bytes.extend(bytes(offset - len(self.bytes)))
        self.bytes[offset:offset + length] = bytes([byte]) * length


def on_open_file(action):
    """Gives an action a program and the number of a file that it has open, if there is one."""
    @functools.wraps(action)
    def wrapped(self):
        picked = self.pick()
        return action(self, *picked) if picked else False
    return wrapped


class World:
    """Random calls of two programs on some files, beside whatever else happens to them. While calls of the file system fail, a program
    may be told of an error; what it does again once they are mended succeeds."""

    def __init__(self, work, name, mode, folder, chance, control):
        self.work, self.name, self.mode, self.folder, self.chance, self.control = work, name, mode, folder, chance, control
        self.fails = False
        self.files = {}
        self.handles = [{}, {}]
        self.told = set()  # which handles the agent knows since its start
        self.next_name = 0
        self.step, self.doing = 0, "starting"
        self.done = {}
        self.agent = work.agent(max_bytes=MAX_BYTES, arguments=["--dirty-age", "200"]).start("--capacity", str(MAX_BYTES))
        self.programs = [self.program(), self.program()]

    def program(self):
        return Program(self.work, self.name, self.agent, self.mode, self.folder)

    def counts(self):
        return ", ".join(f"{count} {what}" for what, count in sorted(self.done.items()))

    def run(self, steps):
        actions = [self.read] * 8 + [self.write] * 8 + [self.open] * 5 + [self.close] * 4 + [self.create] * 3 + [self.sync, self.resize, self.size]
        actions += [self.fail] * 3 + [self.mend] if self.control else [self.link]
        actions += [self.rename, self.delete, self.delete_outside, self.capacity, self.agent_again, self.kill]
        actions += [self.change_outside] * 3 + [self.change_beside_dirty, self.change_before_write] * 2
        for self.step in range(steps):
            action = self.chance.choice(actions)
            self.doing = action.__name__
            if action() is not False:
                self.done[action.__name__] = self.done.get(action.__name__, 0) + 1
        self.doing = "the end"
        self.mend()
        for who, program in enumerate(self.programs):
            for number in list(self.handles[who]):
                self.close_handle(who, number)
            program.end()
        for path, file in self.files.items():
            same(path, content(path), bytes(file.bytes))

    def pick(self):
        """A program and a number of a file that it has open, or None."""
        who = self.chance.randrange(2)
        return (who, self.chance.choice(list(self.handles[who]))) if self.handles[who] else None

    def pick_path(self):
        return self.chance.choice(list(self.files)) if self.files else None

    def new_path(self):
        self.next_name += 1
        return os.path.join(self.folder, f"file{self.next_name}")

    def place(self, file):
        offset = self.chance.randrange(max(1, len(file.bytes) + 1000)) if self.chance.random() < 0.8 else self.chance.randrange(400000)
        return offset, self.chance.choice((1, 100, 4096, 5000, 65536, 100000))

    def fail(self):
        self.mend()
        self.fails = True
        self.control.fail(self.chance.choice(("read", "write", "write", "fsync")), self.chance.choice(ERRORS))

    def mend(self):
        if self.fails:
            self.fails = False
            self.control.mend()

    def settle(self):
        """All that is dirty goes to the files. An agent that was never told of a file knows its first name only."""
        self.mend()
        for who, number in [(who, number) for who in range(2) for number in self.handles[who]]:
            self.call(who, f"read {number} 0 1")
        processes.wait_until(lambda: self.agent.ask("status")["dirtyBytes"] == 0, "no dirty blocks")

    def call(self, who, line):
        """Asks a program for something that a failing file system may refuse: then once more when it is mended."""
        answer = self.programs[who].ask(line)
        self.told.update((who, int(word)) for word in line.split()[1:2] if word.isdigit())
        if self.fails and answer.startswith("error"):
            self.mend()
            answer = self.programs[who].ask(line)
            self.done["refused"] = self.done.get("refused", 0) + 1
        return answer

    def do(self, who, line):
        answer = self.call(who, line)
        if answer != "ok":
            raise Failed(f"{line}: {answer}")

    def create(self):
        who, path = self.chance.randrange(2), self.new_path()
        self.files[path] = File()
        if self.add_handle(who, path, "create") is None:
            del self.files[path]

    def open(self):
        path = self.pick_path()
        return bool(path) and self.add_handle(self.chance.randrange(2), path, "open") is not None

    def add_handle(self, who, path, how):
        """Returns its number, or None if the program has enough."""
        number = next((each for each in range(20) if each not in self.handles[who]), None)
        if number is None or self.files[path].is_of_earlier_arena:
            return None
        self.programs[who].do(f"{how} {number} {path}")
        self.handles[who][number] = self.files[path]
        self.files[path].handles += 1
        self.told.add((who, number))
        return number

    @on_open_file
    def close(self, who, number):
        return self.close_handle(who, number)

    def close_handle(self, who, number):
        file = self.handles[who].pop(number)
        answer = self.programs[who].ask(f"close {number}")
        if self.fails and answer.startswith("error"):
            # The file is closed nevertheless; the agent goes on, or the next one.
            self.mend()
            if self.agent.process.poll() is None:
                self.settle()
        elif answer != "ok":
            raise Failed(f"close {number}: {answer}")
        self.forget_handle(file)
        return True

    @staticmethod
    def forget_handle(file):
        file.handles -= 1
        if file.handles == 0:
            file.is_of_earlier_arena = False

    @on_open_file
    def read(self, who, number):
        return self.read_range(who, number, *self.place(self.handles[who][number]))

    def read_range(self, who, number, offset, length):
        file = self.handles[who][number]
        found = runs_of(self.call(who, f"read {number} {offset} {length}"))
        same(f"file of {len(file.bytes)} bytes from {offset}", found, bytes(file.bytes[offset:offset + length]))
        return True

    @on_open_file
    def write(self, who, number):
        return self.write_range(who, number, *self.place(self.handles[who][number]))

    def write_range(self, who, number, offset, length):
        byte = self.chance.randrange(256)
        self.do(who, f"write {number} {offset} {length} {byte}")
        self.handles[who][number].write(offset, length, byte)
        return True

    @on_open_file
    def sync(self, who, number):
        self.do(who, f"sync {number}")
        self.mend()
        file = self.handles[who][number]
        for path in (path for path, each in self.files.items() if each is file):
            same(f"{path} after a sync", content(path) if self.control else content_on_disk(path), bytes(file.bytes))
        return True

    @on_open_file
    def size(self, who, number):
        found = self.programs[who].ask(f"size {number}")
        if found != str(len(self.handles[who][number].bytes)):
            raise Failed(f"{found} for {len(self.handles[who][number].bytes)}")
        return True

    @on_open_file
    def resize(self, who, number):
        file, length = self.handles[who][number], self.chance.randrange(300000)
        self.settle()
        self.programs[who].do(f"resize {number} {length}")
        file.bytes = file.bytes[:length] + bytes(max(0, length - len(file.bytes)))
        return True

    def rename(self):
        path = self.pick_path()
        if not path:
            return False
        to = self.new_path()
        os.rename(path, to)
        self.files[to] = self.files.pop(path)
        return True

    def link(self):
        path = self.pick_path()
        if not path:
            return False
        to = self.new_path()
        os.link(path, to)
        self.files[to] = self.files[path]
        return True

    def delete(self):
        path = self.pick_path()
        if not path:
            return False
        self.programs[self.chance.randrange(2)].do(f"delete {path}")
        del self.files[path]
        return True

    def delete_outside(self):
        path = self.pick_path()
        if not path:
            return False
        os.unlink(path)
        del self.files[path]
        return True

    def change_outside(self):
        """By a program that knows nothing of the cache, while nobody has the file open."""
        path = self.pick_path()
        if not path or self.files[path].handles > 0:
            return False
        self.put_outside(path, *self.place(self.files[path]))
        if self.chance.random() < 0.7:
            self.look(self.chance.randrange(2), path)
        return True

    def put_outside(self, path, offset, length):
        self.mend()
        # A change that follows another one within a tick of the kernel has the same time.
        time.sleep(0.01)
        byte = self.chance.randrange(256)
        put(path, byte, length, offset)
        self.files[path].write(offset, length, byte)

    def look(self, who, path):
        """Opens a file and reads all of it."""
        number = self.add_handle(who, path, "open")
        if number is not None:
            self.read_range(who, number, 0, len(self.files[path].bytes))
            self.close_handle(who, number)

    def path_of_open(self):
        """A path of a file that a program has open in the arena of today, with that program and number; or None."""
        picked = self.pick()
        file = self.handles[picked[0]][picked[1]] if picked else None
        path = next((path for path, each in self.files.items() if each is file), None)
        return (path, *picked) if path and not file.is_of_earlier_arena else None

    def change_beside_dirty(self):
        """Of a block that one program has made dirty, and whose other bytes somebody else changes in the file."""
        picked = self.path_of_open()
        if not picked:
            return False
        path, who, number = picked
        block = self.chance.randrange(5) * BLOCK_BYTES
        self.write_range(who, number, block, BLOCK_BYTES)
        self.settle()
        self.write_range(who, number, block + self.chance.randrange(1000), 100)
        self.put_outside(path, block + 2000, 9000)
        self.look(1 - who, path)
        return True

    def change_before_write(self):
        """While a program has the file open that writes to another block of it afterwards."""
        picked = self.path_of_open()
        if not picked or self.files[picked[0]].handles > 1:
            return False
        path, who, number = picked
        self.write_range(who, number, 0, BLOCK_BYTES)
        self.do(who, f"sync {number}")
        self.put_outside(path, 2000, 9000)
        self.write_range(who, number, 2 * BLOCK_BYTES, 100)
        # What was written a moment ago is not trusted, whatever the cache knows of it.
        time.sleep(0.03)
        self.close_handle(who, number)
        self.look(1 - who, path)
        return True

    def capacity(self):
        self.agent.ask(f"resize {self.chance.randrange(self.agent.max_bytes)}")

    def agent_again(self):
        # An agent that no program has called since it began may know a file by a name that it has no more.
        may_refuse = self.fails or any((who, number) not in self.told for who in range(2) for number in self.handles[who])
        if self.chance.random() < 0.5:
            self.agent.kill()
        else:
            self.agent.stop(may_refuse)
        before = self.agent.max_bytes
        if self.chance.random() < 0.3:
            self.agent.max_bytes = self.chance.choice((2, 3, 4)) * MIB
        # One that no program was connected to has removed its arena.
        if self.agent.max_bytes != before or not os.path.exists(os.path.join(self.agent.directory, "arena")):
            for who in range(2):
                for number, file in list(self.handles[who].items()):
                    # What several handles have open they would not see in each other's arenas.
                    if file.handles > 1:
                        self.close_handle(who, number)
                    else:
                        file.is_of_earlier_arena = True
        try:
            self.start_agent()
        except Failed:
            # It does not give away what it cannot write.
            if not may_refuse:
                raise
            wanted, self.agent.max_bytes = self.agent.max_bytes, before
            self.mend()
            self.start_agent()
            self.settle()
            self.agent.stop()
            self.agent.max_bytes = wanted
            self.start_agent()

    def start_agent(self):
        self.told.clear()
        self.agent.start("--recreate", "--capacity", str(self.agent.max_bytes))

    def kill(self):
        """A program dies; what it had written is in its files once nothing is dirty any more."""
        if self.chance.random() < 0.7:
            return False
        who = self.chance.randrange(2)
        for number, file in self.handles[who].items():
            # The agent does not know what is in an earlier arena.
            self.call(who, f"sync {number}" if file.is_of_earlier_arena else f"read {number} 0 1")
        self.programs[who].kill()
        killed, self.handles[who] = self.handles[who], {}
        self.settle()
        for file in killed.values():
            self.forget_handle(file)
        self.programs[who] = self.program()
        return True
