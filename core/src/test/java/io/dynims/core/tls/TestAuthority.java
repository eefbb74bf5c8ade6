package io.dynims.core.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** A certificate authority for tests, made with the JDK's keytool. */
public final class TestAuthority {

  private static final String PASSWORD = "changeit";

  private final Path folder;
  private final String name;
  private final Path store;
  private int issued;

  /** A new authority, whose files are in a folder. */
  public TestAuthority(Path folder, String name) throws Exception {
    this.folder = folder;
    this.name = name;
    this.store = folder.resolve(name + ".p12");
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-dname",
        "CN=" + name,
        "-keyalg",
        "EC",
        "-ext",
        "bc:c",
        "-validity",
        "2");
    exportCertificate(name, authorities());
  }

  /** The authority's own certificate. */
  public Path authorities() {
    return folder.resolve(name + "-ca.pem");
  }

  /** A certificate for a name and for 127.0.0.1, its key, and this authority. */
  public TlsFiles.Paths issue(String subject) throws Exception {
    String alias = name + "-" + subject + "-" + ++issued;
    Path request = folder.resolve(alias + ".csr");
    Path certificate = folder.resolve(alias + ".pem");
    keytool("-genkeypair", "-alias", alias, "-dname", "CN=" + subject, "-keyalg", "EC");
    keytool("-certreq", "-alias", alias, "-file", request.toString());
    keytool(
        "-gencert",
        "-alias",
        name,
        "-infile",
        request.toString(),
        "-outfile",
        certificate.toString(),
        "-rfc",
        "-validity",
        "1",
        "-ext",
        "san=ip:127.0.0.1,dns:localhost,dns:" + subject);
    Path key = folder.resolve(alias + "-key.pem");
    Files.writeString(key, key(alias));
    return new TlsFiles.Paths(
        Optional.of(certificate), Optional.of(key), Optional.of(authorities()));
  }

  private String key(String alias) throws Exception {
    var keys = java.security.KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    byte[] encoded = keys.getKey(alias, PASSWORD.toCharArray()).getEncoded();
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
        + "\n-----END PRIVATE KEY-----\n";
  }

  private void exportCertificate(String alias, Path file) throws Exception {
    keytool("-exportcert", "-alias", alias, "-rfc", "-file", file.toString());
  }

  private void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(
        List.of("-keystore", store.toString(), "-storepass", PASSWORD, "-storetype", "PKCS12"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
  }
}
