package io.dynims.core.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A certificate authority for one machine: for the local stack and for tests. It is made with the
 * JDK's keytool, and its files are in a folder that only the owner should be able to read.
 */
public final class LocalAuthority {

  /** The folder's permissions protect the keys, not this password. */
  private static final String PASSWORD = "changeit";

  private final Path folder;
  private final String name;
  private final int validDays;
  private final Path store;
  private int issued;

  /**
   * A new authority.
   *
   * @param folder an existing folder for its files
   * @param name of the authority, which is the beginning of its files' names
   * @param validDays for how many days its certificates are valid
   * @throws IOException if keytool fails; the message has its output
   */
  public LocalAuthority(Path folder, String name, int validDays)
      throws IOException, InterruptedException {
    this.folder = folder;
    this.name = name;
    this.validDays = validDays;
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
        Integer.toString(validDays + 1));
    keytool("-exportcert", "-alias", name, "-rfc", "-file", authorities().toString());
  }

  /** The authority's own certificate. */
  public Path authorities() {
    return folder.resolve(name + "-ca.pem");
  }

  /**
   * Issues a certificate for a name, localhost and 127.0.0.1.
   *
   * @return its files, with those of this authority; the owner alone can read the key
   * @throws IOException if keytool fails; the message has its output
   */
  public TlsFiles.Paths issue(String subject) throws IOException, InterruptedException {
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
        Integer.toString(validDays),
        "-ext",
        "san=ip:127.0.0.1,dns:localhost,dns:" + subject);
    Files.delete(request);
    Path key =
        Files.createFile(
            folder.resolve(alias + "-key.pem"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(key, key(alias), US_ASCII);
    return new TlsFiles.Paths(
        Optional.of(certificate), Optional.of(key), Optional.of(authorities()));
  }

  private String key(String alias) throws IOException {
    try {
      KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
      byte[] encoded = keys.getKey(alias, PASSWORD.toCharArray()).getEncoded();
      return "-----BEGIN PRIVATE KEY-----\n"
          + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
          + "\n-----END PRIVATE KEY-----\n";
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot read " + store + ": " + e, e);
    }
  }

  private void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(
        List.of("-keystore", store.toString(), "-storepass", PASSWORD, "-storetype", "PKCS12"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
  }
}
