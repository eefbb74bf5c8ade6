! Ranks write and read one file in Fortran, also each other's bytes after a sync. Usage: fortran FILE
program fortran_client
  use mpi
  implicit none
  integer, parameter :: numbers = 20000
  integer :: file, rank, ranks, error, i, round, request, count
  integer :: status(MPI_STATUS_SIZE)
  integer(kind=MPI_OFFSET_KIND) :: offset, length
  integer :: values(numbers)
  character(len=1000) :: name

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call get_command_argument(1, name)
  call MPI_File_open(MPI_COMM_WORLD, trim(name), ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, error)
  if (error /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 3, error)
  do round = 1, 5
    values = [(i * round + rank, i = 1, numbers)]
    offset = int(rank, MPI_OFFSET_KIND) * numbers * 4
    if (mod(round, 2) == 0) then
      call MPI_File_write_at(file, offset, values, numbers, MPI_INTEGER, status, error)
      if (error /= MPI_SUCCESS) call wrong('a write')
    else
      call MPI_File_iwrite_at(file, offset, values, numbers, MPI_INTEGER, request, error)
      if (error /= MPI_SUCCESS) call wrong('a write')
      call MPI_Wait(request, status, error)
    end if
    call MPI_Get_count(status, MPI_INTEGER, count, error)
    if (count /= numbers) call wrong('a count')
    call MPI_File_sync(file, error)
    if (error /= MPI_SUCCESS) call wrong('a sync')
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_File_sync(file, error)
    offset = int(mod(rank + 1, ranks), MPI_OFFSET_KIND) * numbers * 4
    call MPI_File_seek(file, offset, MPI_SEEK_SET, error)
    call MPI_File_read(file, values, numbers, MPI_INTEGER, MPI_STATUS_IGNORE, error)
    if (any(values /= [(i * round + mod(rank + 1, ranks), i = 1, numbers)])) call wrong('a value')
    call MPI_Barrier(MPI_COMM_WORLD, error)
  end do
  call MPI_File_get_size(file, length, error)
  if (length /= int(ranks, MPI_OFFSET_KIND) * numbers * 4) call wrong('the size')
  call MPI_File_close(file, error)
  if (rank == 0) print '(a)', 'Fortran: the values are right'
  call MPI_Finalize(error)

contains

  subroutine wrong(what)
    character(len=*), intent(in) :: what
    print '(a, a, i0)', what, ' is wrong on rank ', rank
    flush (6)
    ! Starters may lose what a program that aborts has printed, but not its exit code.
    select case (what)
    case ('a write')
      call MPI_Abort(MPI_COMM_WORLD, 4, error)
    case ('a sync')
      call MPI_Abort(MPI_COMM_WORLD, 5, error)
    case default
      call MPI_Abort(MPI_COMM_WORLD, 3, error)
    end select
  end subroutine
end program
