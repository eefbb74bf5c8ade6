module dynims.io/cluster/tools/schemas

go 1.26.0

toolchain go1.26.8
