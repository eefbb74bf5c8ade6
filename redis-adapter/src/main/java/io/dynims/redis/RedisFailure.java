package io.dynims.redis;

import io.dynims.runtime.tls.TlsFiles;
import io.lettuce.core.RedisCommandExecutionException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLException;

/** Says in one line why a server cannot be used, and which setting or file is about that. */
final class RedisFailure {

  private RedisFailure() {}

  /** What the server does, such as {@code does not answer: connection refused}. */
  static String describe(RedisSettings settings, Throwable failure) {
    Optional<RedisCommandExecutionException> refusal =
        find(failure, RedisCommandExecutionException.class);
    if (refusal.isPresent()) {
      return describeRefusal(settings, refusal.get().getMessage());
    }
    Optional<CertificateException> distrust = find(failure, CertificateException.class);
    if (distrust.isPresent()) {
      return "shows a certificate that "
          + file(settings, TlsFiles.Paths::authorities, "the JDK's authorities")
          + " does not vouch for: "
          + distrust.get().getMessage();
    }
    Optional<SSLException> tls = find(failure, SSLException.class);
    if (tls.isPresent()) {
      return "does not accept TLS with "
          + file(settings, TlsFiles.Paths::certificate, "no certificate")
          + ": "
          + tls.get().getMessage();
    }
    if (find(failure, InterruptedException.class).isPresent()) {
      return "is not asked any more: the adapter is shutting down";
    }
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return "does not answer: " + cause.getMessage();
  }

  private static String describeRefusal(RedisSettings settings, String answer) {
    if (answer.startsWith("WRONGPASS")) {
      return "refuses %s with the password in %s: %s"
          .formatted(
              user(settings),
              settings.passwordFile().map(Path::toString).orElse("no file"),
              answer);
    }
    if (answer.startsWith("NOPERM")) {
      return "refuses " + user(settings) + ": " + answer;
    }
    return answer.startsWith("NOAUTH")
        ? "asks for a password, store.password.file: " + answer
        : "answers: " + answer;
  }

  private static String user(RedisSettings settings) {
    return "the user " + (settings.username().isEmpty() ? "default" : settings.username());
  }

  /** The first of its kind among an exception and its causes. */
  private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> kind) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (kind.isInstance(each)) {
        return Optional.of(kind.cast(each));
      }
    }
    return Optional.empty();
  }

  private static String file(
      RedisSettings settings, Function<TlsFiles.Paths, Optional<Path>> which, String otherwise) {
    return settings
        .tls()
        .flatMap(files -> which.apply(files.paths()))
        .map(Path::toString)
        .orElse(otherwise);
  }
}
