# SPDX-License-Identifier: Apache-2.0
"""The cache under MPI-IO for Spack. docs/mpiio.md says how to install it."""

from spack.package import *


class DynimsMpiio(MesonPackage):
    """A cache in memory under MPI-IO. Its agent gives the memory back when jobs need it."""

    license("Apache-2.0")

    # Of a checkout: spack dev-build.
    version("main")

    variant("checksums", default=False, description="Check what is cached against checksums, for debugging")

    depends_on("c", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("mpi")

    requires("platform=linux", msg="the cache runs on Linux")

    def meson_args(self):
        checksums = str("+checksums" in self.spec).lower()
        return [f"-Dmpicc={self.spec['mpi'].mpicc}", "-Dtests=false", f"-Dchecksums={checksums}"]
