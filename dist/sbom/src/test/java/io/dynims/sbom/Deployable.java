package io.dynims.sbom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What a build makes of a module that is shipped. */
enum Deployable {
  ALLUXIO_ADAPTER("alluxio-adapter", "dynims-alluxio-adapter"),
  CLI("cli", "dynims-cli"),
  CONTROLLER("controller", "dynims-controller"),
  FLINK_JOB("flink-job", "dynims-flink-job"),
  ALLUXIO("dist/alluxio", "dynims-part-alluxio"),
  KAFKA("dist/kafka", "dynims-part-kafka"),
  MEMCACHED_ADAPTER("memcached-adapter", "dynims-memcached-adapter"),
  MPIIO_ADAPTER("mpiio-adapter", "dynims-mpiio-adapter"),
  REDIS_ADAPTER("redis-adapter", "dynims-redis-adapter");

  private final Path target;
  private final Path sbom;

  Deployable(String module, String artifact) {
    target = Path.of("../..", module, "target");
    sbom = target.resolve(artifact + ".cdx.json");
  }

  boolean hasSbom() {
    return Files.exists(sbom);
  }

  JsonNode sbom() throws IOException {
    return new ObjectMapper().readTree(sbom.toFile());
  }

  List<Component> components() throws IOException {
    return StreamSupport.stream(sbom().path("components").spliterator(), false)
        .map(Component::of)
        .toList();
  }

  List<Path> jars() throws IOException {
    try (Stream<Path> files = Files.list(target.resolve("lib"))) {
      return files.sorted().toList();
    }
  }
}
