package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Where the stack's programs are and where it keeps its state.
 *
 * @param project the folder of the project, with the built programs
 * @param state the stack's own folder
 */
public record StackHome(Path project, Path state) {

  /** Creates the folders and the token that parts need. */
  public void create() throws IOException {
    Files.createDirectories(config());
    Files.createDirectories(logs());
    Files.createDirectories(pids());
    Files.createDirectories(policies());
    Files.createDirectories(state.resolve("data"));
    TierToken.create(tierToken());
  }

  /** The user's own settings, if any. */
  public Path userSettings() {
    return state.resolve("dynims.properties");
  }

  /** The settings of the running stack. */
  public Path settingsInForce() {
    return state.resolve("settings-in-force.properties");
  }

  /** Rendered configuration files. */
  public Path config() {
    return state.resolve("conf");
  }

  /** The token that the adapter asks the controller for. */
  public Path tierToken() {
    return config().resolve("tier-token");
  }

  /** The certificates of a stack with TLS. */
  Path tls() {
    return config().resolve("tls");
  }

  public Path logs() {
    return state.resolve("logs");
  }

  public Path log(String part) {
    return logs().resolve(part + ".log");
  }

  public Path pids() {
    return state.resolve("pids");
  }

  public Path pid(String part) {
    return pids().resolve(part + ".pid");
  }

  /** The temporary files of all parts. */
  Path temporary() {
    return state.resolve("tmp");
  }

  /** The temporary files of a part; removed when it starts, as a killed program leaves its own. */
  public Path temporary(String part) {
    return temporary().resolve(part);
  }

  /** The folder of MemoryTier documents that the controller reads. */
  public Path policies() {
    return state.resolve("policies");
  }

  public Path data(String part) {
    return state.resolve("data").resolve(part);
  }

  /** The tier's folder; its name differs between stacks with different homes. */
  public Path tier(Path parent) {
    CRC32C hash = new CRC32C();
    hash.update(state.toString().getBytes(StandardCharsets.UTF_8));
    return parent.resolve(String.format("dynims-%08x", hash.getValue()));
  }

  /** The folder of the worker's blocks, alluxio.worker.data.folder below the tier's folder. */
  public Path blocks(Path parent) {
    return tier(parent).resolve("alluxioworker");
  }
}
