package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory of this machine at one moment.
 *
 * @param totalBytes MemTotal
 * @param availableBytes MemAvailable
 */
record NodeMemory(long totalBytes, long availableBytes) {

  private static final Path MEMINFO = Path.of("/proc/meminfo");

  static NodeMemory now() throws IOException {
    return parse(Files.readString(MEMINFO, US_ASCII));
  }

  static NodeMemory parse(String meminfo) throws IOException {
    return new NodeMemory(field(meminfo, "MemTotal:"), field(meminfo, "MemAvailable:"));
  }

  /** v: what cannot be had without taking it from someone. */
  long usedBytes() {
    return totalBytes - availableBytes;
  }

  private static long field(String meminfo, String name) throws IOException {
    int at = meminfo.indexOf(name);
    int end = meminfo.indexOf("kB", at);
    if (at < 0 || end < 0) {
      throw new IOException(MEMINFO + " has no " + name);
    }
    return Long.parseLong(meminfo.substring(at + name.length(), end).strip()) * 1024;
  }
}
