"""h5py on parallel HDF5: ranks write slices of a data set, together and on their own, and read each other's after the file was opened again."""

import sys

import numpy
from mpi4py import MPI

import h5py

ROWS, COLUMNS = 64, 500
world = MPI.COMM_WORLD


def values(owner, salt):
    return numpy.arange(ROWS * COLUMNS, dtype="f8").reshape(ROWS, COLUMNS) + owner * 1e6 + salt


def rows(owner):
    return slice(owner * ROWS, (owner + 1) * ROWS)


with h5py.File(sys.argv[1], "w", driver="mpio", comm=world) as file:
    plain = file.create_dataset("plain", (ROWS * world.size, COLUMNS), dtype="f8")
    chunked = file.create_dataset("chunked", (ROWS * world.size, COLUMNS), dtype="f8", chunks=(ROWS // 2, 100))
    file.attrs["ranks"] = world.size
    plain[rows(world.rank)] = values(world.rank, 1)
    with chunked.collective:
        chunked[rows(world.rank)] = values(world.rank, 2)

with h5py.File(sys.argv[1], "r", driver="mpio", comm=world) as file:
    assert file.attrs["ranks"] == world.size
    for owner in range(world.size):
        assert (file["plain"][rows(owner)] == values(owner, 1)).all()
        with file["chunked"].collective:
            assert (file["chunked"][rows(owner)] == values(owner, 2)).all()
