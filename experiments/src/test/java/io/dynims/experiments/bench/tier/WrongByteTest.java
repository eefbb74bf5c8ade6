package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.dynims.experiments.Commands;
import io.dynims.experiments.Commands.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes read files, one byte of which is wrong; an object service stands for Alluxio's.
 */
class WrongByteTest {

  private static final int BLOCK = 16 << 10;
  private static final StudyEffort SHORT =
      new StudyEffort(true, false, 1, 1, 10, 4, 1, 0, 1 << 20, 20, 1);

  @TempDir private Path folder;
  private HttpServer objects;

  @BeforeEach
  void serve() throws IOException {
    objects = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    objects.createContext("/api/v1/s3/", this::answer);
    objects.start();
  }

  @AfterEach
  void stop() {
    objects.stop(0);
  }

  @Test
  void isFoundInAFileThatIsReadIntoMemory() throws Exception {
    findsTheWrongByte(AccessKind.Tmpfs, List.of("file", folder.toString()));
  }

  @Test
  void isFoundInAFileThatIsReadIntoTheHeap() throws Exception {
    findsTheWrongByte(AccessKind.TmpfsHeap, List.of("heap", folder.toString()));
  }

  @Test
  void isFoundInAnObject() throws Exception {
    String address = "127.0.0.1:" + objects.getAddress().getPort();
    findsTheWrongByte(AccessKind.S3, List.of("s3", address));
  }

  private void findsTheWrongByte(AccessKind kind, List<String> worker) throws Exception {
    Outcome right = study(kind, worker, false);
    assertThat(right.exitCode()).as(right.err()).isZero();
    Files.delete(folder.resolve(FileStudy.readFile(cell(kind, false), options(kind, false))));

    Outcome wrong = study(kind, worker, true);

    assertThat(wrong.exitCode()).isEqualTo(1);
    assertThat(wrong.err()).contains("must hold and does not: blocks read with wrong bytes: ");
    assertThat(wrong.out())
        .contains("Blocks read with wrong bytes", cell(kind, false).id(), cell(kind, true).id());
  }

  private Outcome study(AccessKind kind, List<String> worker, boolean plant) throws Exception {
    StudyOptions options = options(kind, plant);
    Map<StudyCell, CellResult> results = new LinkedHashMap<>();
    try (FileStudy study =
        new FileStudy(
            List.of(new AccessGroup.Worker(List.of(), worker)),
            folder,
            folder.resolve("log"),
            folder.resolve("no-counter"),
            options)) {
      for (boolean random : List.of(false, true)) {
        StudyCell cell = cell(kind, random);
        results.put(cell, study.measure(cell));
      }
    }
    StudyResults all = new StudyResults(results);
    return Commands.report(
        new StudyFindings(options, all, Map.of(), Map.of(), Map.of()).findings(), folder);
  }

  private static StudyCell cell(AccessKind kind, boolean random) {
    return new StudyCell(kind, false, random, false, BLOCK, 1, 0, StudyState.Rest);
  }

  private static StudyOptions options(AccessKind kind, boolean plant) {
    return new StudyOptions(
        List.of(StudyPart.Rest),
        List.of(kind),
        List.of(BLOCK),
        List.of(1),
        List.of(1),
        SHORT,
        64 << 20,
        16 << 20,
        75,
        200,
        FuseMount.USUAL,
        plant);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().replace("/api/v1/s3/", "");
    String[] range =
        exchange.getRequestHeaders().getFirst("Range").replace("bytes=", "").split("-", -1);
    byte[] bytes =
        Arrays.copyOfRange(
            Files.readAllBytes(folder.resolve(path)),
            Integer.parseInt(range[0]),
            Integer.parseInt(range[1]) + 1);
    exchange.sendResponseHeaders(206, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
