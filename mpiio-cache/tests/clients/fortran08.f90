! A program with mpi_f08: each rank writes a part of the file, and reads those of all.
program fortran08
  use mpi_f08
  implicit none
  integer, parameter :: count = 2000, turns = 5
  type(MPI_File) :: file
  type(MPI_Status) :: status
  integer :: rank, ranks, turn, i, moved
  integer :: written(count), read_back(count)
  integer(MPI_OFFSET_KIND) :: offset, bytes
  character(500) :: path

  call get_command_argument(1, path)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  do turn = 1, turns
    call MPI_File_open(MPI_COMM_WORLD, trim(path), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file)
    written = [(i + rank * 7919 + turn * 104729, i = 1, count)]
    offset = int(rank, MPI_OFFSET_KIND) * count * 4
    call MPI_File_write_at_all(file, offset, written, count, MPI_INTEGER, status)
    call MPI_File_sync(file)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_File_sync(file)
    do i = 0, ranks - 1
      offset = int(i, MPI_OFFSET_KIND) * count * 4
      call MPI_File_seek(file, offset, MPI_SEEK_SET)
      call MPI_File_read(file, read_back, count, MPI_INTEGER, status)
      call MPI_Get_count(status, MPI_INTEGER, moved)
      if (moved /= count .or. any(read_back /= written + (i - rank) * 7919)) error stop 3
    end do
    call MPI_File_get_size(file, bytes)
    if (bytes /= int(ranks, MPI_OFFSET_KIND) * count * 4) error stop 4
    call MPI_File_close(file)
  end do
  call MPI_Finalize()
end program
