"""What tests/tiny.c does, in Python: an MPI library that a module has loaded for itself."""

import sys

from mpi4py import MPI

HALF = 300000
rank, ranks = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
file = MPI.File.Open(MPI.COMM_WORLD, sys.argv[1], MPI.MODE_RDWR | MPI.MODE_CREATE)
file.Write_at_all(rank * HALF, bytes([ord("a") + rank]) * HALF)
file.Sync()
MPI.COMM_WORLD.Barrier()
file.Sync()
other = (rank + 1) % ranks
for _ in range(2):
    read = bytearray(HALF)
    file.Read_at(other * HALF, read)
    assert read == bytes([ord("a") + other]) * HALF
file.Close()
print(f"tiny: {ranks} ranks with {MPI.Get_library_version().splitlines()[0]}")
