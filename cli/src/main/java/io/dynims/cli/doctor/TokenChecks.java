package io.dynims.cli.doctor;

import io.dynims.runtime.auth.TokenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Whether only those who should can resize the tier, and whether they can. */
final class TokenChecks {

  private static final int UNAUTHORIZED = 401;

  /** A request that lacks its fields was let through to where they are read. */
  private static final int INVALID = 400;

  private final Observations seen;

  TokenChecks(Observations seen) {
    this.seen = seen;
  }

  void addTo(Map<String, Supplier<Diagnosis>> checks) {
    checks.put("token-file", this::file);
    checks.put("token-accepted", () -> seen.adapter().diagnose(this::accepted));
    checks.put("token-asked-for", () -> seen.adapter().diagnose(this::askedFor));
  }

  private Diagnosis file() {
    Optional<Path> given = seen.options().targets().tokenFile();
    if (given.isEmpty()) {
      return Diagnosis.skipped("no --token-file");
    }
    Path path = given.get();
    try (TokenFile file = TokenFile.open(path)) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
      boolean open =
          permissions.contains(PosixFilePermission.OTHERS_READ)
              || permissions.contains(PosixFilePermission.OTHERS_WRITE);
      return open
          ? Diagnosis.error(
              "every user of this machine can read " + path + ", and so resize the tier",
              "chmod 600 %s, and change the token: docs/security.md says how".formatted(path))
          : Diagnosis.ok("%s has %d tokens".formatted(path, file.tokens().size()));
    } catch (IOException e) {
      return Diagnosis.error(
          "cannot use %s: %s".formatted(path, e.getMessage()),
          "head -c 32 /dev/urandom | base64 >%1$s && chmod 600 %1$s; the same token for adapter and"
                  .formatted(path)
              + " controller");
    }
  }

  private Diagnosis accepted(AdapterFacts adapter) {
    if (adapter.withToken().isEmpty()) {
      return Diagnosis.skipped("no token");
    }
    return switch (adapter.withToken().getAsInt()) {
      case INVALID -> Diagnosis.ok("the adapter accepts the token");
      case UNAUTHORIZED ->
          Diagnosis.error(
              "the adapter refuses the token of " + seen.options().targets().tokenFile().get(),
              "give the adapter's token (http.token.file); a controller without a certificate sends the"
                  + " same one (push.token.file)");
      default -> unclear(adapter.withToken().getAsInt());
    };
  }

  private Diagnosis askedFor(AdapterFacts adapter) {
    return switch (adapter.withoutToken()) {
      case UNAUTHORIZED -> Diagnosis.ok("the adapter asks for a token");
      case INVALID ->
          Diagnosis.warning(
              "whoever reaches %s, or shows the certificate that was given, can resize the tier"
                  .formatted(adapter.uri()),
              "set http.token.file of the adapter to a file with a token");
      default -> unclear(adapter.withoutToken());
    };
  }

  private static Diagnosis unclear(int status) {
    return Diagnosis.skipped("the adapter answers HTTP " + status);
  }
}
