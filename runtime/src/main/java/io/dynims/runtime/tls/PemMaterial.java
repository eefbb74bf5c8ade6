package io.dynims.runtime.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * What PEM files hold at one time.
 *
 * @param keyManager null without a certificate
 * @param trustManager null without authorities
 */
record PemMaterial(X509ExtendedKeyManager keyManager, X509ExtendedTrustManager trustManager) {

  private static final Logger LOG = System.getLogger(PemMaterial.class.getName());

  /** The keystore is never written, so its password protects nothing. */
  private static final char[] NO_PASSWORD = {};

  /**
   * Reads the contents of the files, in the order certificate, key, authorities.
   *
   * @throws IOException if one cannot be used; the message names the file
   */
  static PemMaterial read(TlsFiles.Paths paths, List<byte[]> contents) throws IOException {
    Iterator<byte[]> content = contents.iterator();
    X509ExtendedKeyManager keyManager = null;
    if (paths.certificate().isPresent()) {
      keyManager =
          keyManager(
              paths.certificate().get(), content.next(), paths.key().orElseThrow(), content.next());
    }
    X509ExtendedTrustManager trustManager = null;
    if (paths.authorities().isPresent()) {
      trustManager = trustManager(paths.authorities().get(), content.next());
    }
    return new PemMaterial(keyManager, trustManager);
  }

  /**
   * A store with all that the files hold.
   *
   * @param password of the key's entry
   * @throws IOException if one cannot be used; the message names the file
   */
  static KeyStore store(TlsFiles.Paths paths, List<byte[]> contents, char[] password)
      throws IOException, GeneralSecurityException {
    Iterator<byte[]> content = contents.iterator();
    KeyStore store = emptyStore();
    if (paths.certificate().isPresent()) {
      addOwn(
          store,
          paths.certificate().get(),
          content.next(),
          paths.key().orElseThrow(),
          content.next(),
          password);
    }
    if (paths.authorities().isPresent()) {
      addAuthorities(store, paths.authorities().get(), content.next());
    }
    return store;
  }

  private static X509ExtendedKeyManager keyManager(
      Path certificateFile, byte[] certificates, Path keyFile, byte[] keyText) throws IOException {
    try {
      KeyStore store = emptyStore();
      addOwn(store, certificateFile, certificates, keyFile, keyText, NO_PASSWORD);
      KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
      factory.init(store, NO_PASSWORD);
      return (X509ExtendedKeyManager) factory.getKeyManagers()[0];
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "cannot use the certificate " + certificateFile + " with the key " + keyFile + ": " + e,
          e);
    }
  }

  private static X509ExtendedTrustManager trustManager(Path file, byte[] text) throws IOException {
    try {
      KeyStore store = emptyStore();
      addAuthorities(store, file, text);
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the authorities " + file + ": " + e, e);
    }
  }

  private static void addOwn(
      KeyStore store,
      Path certificateFile,
      byte[] certificates,
      Path keyFile,
      byte[] keyText,
      char[] password)
      throws IOException, GeneralSecurityException {
    List<X509Certificate> chain = certificates(certificateFile, certificates);
    PrivateKey key = PemKey.read(keyFile, keyText);
    if (!belongTogether(chain.get(0), key)) {
      throw new IOException(
          "the key " + keyFile + " does not belong to the certificate " + certificateFile);
    }
    store.setKeyEntry("own", key, password, chain.toArray(Certificate[]::new));
  }

  private static void addAuthorities(KeyStore store, Path file, byte[] text)
      throws IOException, GeneralSecurityException {
    int count = 0;
    for (X509Certificate authority : certificates(file, text)) {
      store.setCertificateEntry("authority-" + count++, authority);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static List<X509Certificate> certificates(Path file, byte[] text) throws IOException {
    Collection<? extends Certificate> found;
    try {
      found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(text));
    } catch (CertificateException e) {
      throw new IOException("the file " + file + " holds no PEM certificate: " + e.getMessage(), e);
    }
    if (found.isEmpty()) {
      throw new IOException("the file " + file + " holds no PEM certificate");
    }
    List<X509Certificate> chain = found.stream().map(X509Certificate.class::cast).toList();
    Instant end = chain.get(0).getNotAfter().toInstant();
    if (end.isBefore(Instant.now())) {
      // A program that does not start would protect its node even less.
      LOG.log(Level.WARNING, "the certificate {0} has expired: it was valid until {1}", file, end);
    }
    return chain;
  }

  /** Whether the certificate's public key verifies what the key signs. */
  private static boolean belongTogether(X509Certificate certificate, PrivateKey key)
      throws GeneralSecurityException {
    String type = key.getAlgorithm();
    if (!type.equals(certificate.getPublicKey().getAlgorithm())) {
      return false;
    }
    String algorithm =
        switch (type) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "Ed25519";
        };
    Signature signature = Signature.getInstance(algorithm);
    byte[] text = {1};
    signature.initSign(key);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(text);
    return signature.verify(signed);
  }
}
