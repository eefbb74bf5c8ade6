package io.dynims.cli.stack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/** The token with which the stack's tier can be resized. */
final class TierToken {

  private static final int BYTES = 32;

  private TierToken() {}

  /** Makes a file with a random token that only its owner can read, if there is none. */
  static void create(Path file) throws IOException {
    if (Files.exists(file)) {
      return;
    }
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path written = Files.createTempFile(file.toAbsolutePath().getParent(), "token", "", ownerOnly);
    Files.write(written, (token + "\n").getBytes(US_ASCII));
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
