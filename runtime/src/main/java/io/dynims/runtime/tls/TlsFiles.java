package io.dynims.runtime.tls;

import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ReloadedFiles;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A program's own certificate, and whom it trusts, from PEM files. Its managers go into any TLS
 * library; connections that are made after a file has changed use what it says then. Thread-safe.
 */
public final class TlsFiles implements AutoCloseable {

  private final Paths paths;
  private final ReloadedFiles<PemMaterial> files;

  /**
   * The files.
   *
   * @param certificate the program's own, followed by those between it and its authority
   * @param key its private key, without a password; present if and only if the certificate is
   * @param authorities the certificates of trusted authorities
   */
  public record Paths(Optional<Path> certificate, Optional<Path> key, Optional<Path> authorities) {

    /** The files that there are, in this order. */
    private List<Path> all() {
      return Stream.of(certificate, key, authorities).flatMap(Optional::stream).toList();
    }

    /** Whether there is no file at all. */
    public boolean isEmpty() {
      return certificate.isEmpty() && key.isEmpty() && authorities.isEmpty();
    }
  }

  private TlsFiles(Paths paths) throws IOException {
    this.paths = paths;
    files = new ReloadedFiles<>(paths.all(), contents -> PemMaterial.read(paths, contents));
  }

  /**
   * Reads the files.
   *
   * @throws IOException if a file cannot be used, a certificate does not belong to its key, or one
   *     of certificate and key is missing; the message names the file
   */
  public static TlsFiles open(Paths paths) throws IOException {
    requireBoth(paths);
    return new TlsFiles(paths);
  }

  /**
   * What the files hold now, for programs that cannot read PEM.
   *
   * @param password of the key's entry
   * @throws IOException as {@link #open}
   * @throws GeneralSecurityException if the JDK cannot make a key store
   */
  public static KeyStore keyStore(Paths paths, char[] password)
      throws IOException, GeneralSecurityException {
    requireBoth(paths);
    List<byte[]> contents = new ArrayList<>();
    for (Path file : paths.all()) {
      contents.add(ReloadedFiles.read(file));
    }
    return PemMaterial.store(paths, contents, password);
  }

  private static void requireBoth(Paths paths) throws IOException {
    if (paths.certificate().isPresent() != paths.key().isPresent()) {
      throw new IOException(
          "a certificate needs its key: "
              + paths.certificate().or(paths::key).orElseThrow()
              + " is there without the other file");
    }
  }

  /**
   * The files that settings name: PREFIX.certificate, PREFIX.key and PREFIX.ca; rejects settings
   * that cannot be used.
   *
   * @return empty if none is set
   */
  public static Optional<TlsFiles> read(Config config, String prefix) {
    Paths paths =
        new Paths(
            config.path(prefix + ".certificate"),
            config.path(prefix + ".key"),
            config.path(prefix + ".ca"));
    if (paths.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(open(paths));
    } catch (IOException e) {
      config.reject(prefix, e.getMessage());
      return Optional.empty();
    }
  }

  /** The same for a server, which needs a certificate of its own. */
  public static Optional<TlsFiles> readServer(Config config, String prefix) {
    Optional<TlsFiles> files = read(config, prefix);
    if (files.isPresent() && files.get().keyManager().isEmpty()) {
      config.reject(prefix + ".certificate", "is required with " + prefix + ".ca");
    }
    return files;
  }

  /** The files, for messages. */
  public Paths paths() {
    return paths;
  }

  /** Shows the program's own certificate; empty if there is none. */
  public Optional<X509ExtendedKeyManager> keyManager() {
    return paths.certificate().map(file -> new OwnCertificate());
  }

  /** Trusts the authorities; empty if there are none. */
  public Optional<X509ExtendedTrustManager> trustManager() {
    return paths.authorities().map(file -> new Authorities());
  }

  /**
   * For libraries that take a context, such as the JDK's HTTP client.
   *
   * @throws GeneralSecurityException if the JDK cannot make one
   */
  public SSLContext context() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        keyManager().map(manager -> new KeyManager[] {manager}).orElse(null),
        trustManager().map(manager -> new TrustManager[] {manager}).orElse(null),
        null);
    return context;
  }

  @Override
  public void close() {
    files.close();
  }

  /**
   * The program's own certificate. A handshake asks for an alias, a key and a certificate one after
   * the other: an alias means the same files until it ends, even if there are newer ones.
   */
  private final class OwnCertificate extends X509ExtendedKeyManager {

    private int version;
    private X509ExtendedKeyManager newest;
    private X509ExtendedKeyManager earlier;

    private X509ExtendedKeyManager now() {
      return files.get().keyManager();
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
      return now().getClientAliases(keyType, issuers);
    }

    @Override
    public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
      return alias(from -> from.chooseClientAlias(keyType, issuers, socket));
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
      return alias(from -> from.chooseEngineClientAlias(types, issuers, engine));
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
      return now().getServerAliases(keyType, issuers);
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
      return alias(from -> from.chooseServerAlias(keyType, issuers, socket));
    }

    @Override
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
      return alias(from -> from.chooseEngineServerAlias(type, issuers, engine));
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return of(alias).getCertificateChain(unversioned(alias));
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return of(alias).getPrivateKey(unversioned(alias));
    }

    private synchronized String alias(Function<X509ExtendedKeyManager, String> choice) {
      X509ExtendedKeyManager now = now();
      if (now != newest) {
        earlier = newest;
        newest = now;
        version++;
      }
      String alias = choice.apply(now);
      return alias == null ? null : version + "/" + alias;
    }

    private synchronized X509ExtendedKeyManager of(String alias) {
      if (alias.startsWith(version + "/")) {
        return newest;
      }
      return alias.startsWith(version - 1 + "/") ? earlier : now();
    }

    private static String unversioned(String alias) {
      return alias.substring(alias.indexOf('/') + 1);
    }
  }

  private final class Authorities extends X509ExtendedTrustManager {

    private X509ExtendedTrustManager now() {
      return files.get().trustManager();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      now().checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      now().checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      now().checkClientTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      now().checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      now().checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      now().checkServerTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return now().getAcceptedIssuers();
    }
  }
}
