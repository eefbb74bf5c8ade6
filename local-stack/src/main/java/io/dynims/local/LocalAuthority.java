package io.dynims.local;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.io.Writer;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * A certificate authority for one machine: for the local stack and for tests. Its files are in a
 * folder that only the owner should be able to read; its own key is in none.
 */
public final class LocalAuthority {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SERIAL_BITS = 64;

  private final Path folder;
  private final String name;
  private final int validDays;
  private final KeyPair keys = newKeys();
  private int issued;

  /**
   * A new authority.
   *
   * @param folder an existing folder for its files
   * @param name of the authority, which is the beginning of its files' names
   * @param validDays for how many days its certificates are valid
   */
  public LocalAuthority(Path folder, String name, int validDays) throws IOException {
    this.folder = folder;
    this.name = name;
    this.validDays = validDays;
    X509v3CertificateBuilder own = certificate(name, keys.getPublic(), validDays + 1);
    own.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
    writeCertificate(authorities(), own);
  }

  /** The authority's own certificate. */
  public Path authorities() {
    return folder.resolve(name + "-ca.pem");
  }

  /**
   * Issues a certificate for a name, localhost and 127.0.0.1.
   *
   * @return its files, with those of this authority; the owner alone can read the key
   */
  public TlsFiles.Paths issue(String subject) throws IOException {
    String alias = name + "-" + subject + "-" + ++issued;
    KeyPair subjectKeys = newKeys();
    X509v3CertificateBuilder builder = certificate(subject, subjectKeys.getPublic(), validDays);
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(
            new GeneralName[] {
              new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
              new GeneralName(GeneralName.dNSName, "localhost"),
              new GeneralName(GeneralName.dNSName, subject)
            }));
    Path certificate = folder.resolve(alias + ".pem");
    writeCertificate(certificate, builder);
    Path key =
        Files.createFile(
            folder.resolve(alias + "-key.pem"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    writePem(key, "PRIVATE KEY", subjectKeys.getPrivate().getEncoded());
    return new TlsFiles.Paths(
        Optional.of(certificate), Optional.of(key), Optional.of(authorities()));
  }

  private X509v3CertificateBuilder certificate(String subject, PublicKey key, int days)
      throws IOException {
    Instant now = Instant.now();
    var builder =
        new JcaX509v3CertificateBuilder(
            new X500Name("CN=" + name),
            new BigInteger(SERIAL_BITS, RANDOM),
            Date.from(now),
            Date.from(now.plus(Duration.ofDays(days))),
            new X500Name("CN=" + subject),
            key);
    try {
      var identifiers = new JcaX509ExtensionUtils();
      builder.addExtension(
          Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(key));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          identifiers.createAuthorityKeyIdentifier(keys.getPublic()));
      return builder;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // Every JDK has SHA-1, which names a key here.
    }
  }

  private void writeCertificate(Path file, X509v3CertificateBuilder builder) throws IOException {
    try {
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
      writePem(file, "CERTIFICATE", builder.build(signer).getEncoded());
    } catch (OperatorCreationException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }

  private static void writePem(Path file, String type, byte[] encoded) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file, US_ASCII);
        PemWriter pem = new PemWriter(writer)) {
      pem.writeObject(new PemObject(type, encoded));
    }
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // Every JDK has P-256.
    }
  }
}
