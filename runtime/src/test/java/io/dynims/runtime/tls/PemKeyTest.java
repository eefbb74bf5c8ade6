package io.dynims.runtime.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys in the resources were made with OpenSSL, once, for this test. */
class PemKeyTest {

  @ParameterizedTest
  @CsvSource({"rsa-pkcs1.pem, rsa-pkcs8.pem, RSA", "ec-sec1.pem, ec-pkcs8.pem, EC"})
  void readsTheSameKeyFromBothForms(String older, String newer, String algorithm)
      throws IOException {
    PrivateKey key = read(resource(older));

    assertThat(key.getAlgorithm()).isEqualTo(algorithm);
    assertThat(secret(key)).isEqualTo(secret(read(resource(newer))));
  }

  private static BigInteger secret(PrivateKey key) {
    return key instanceof ECPrivateKey ec ? ec.getS() : ((RSAPrivateKey) key).getPrivateExponent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AA==",
        "MA==",
        "MIL//w==",
        "MIT/////",
        "MAMCAQE=",
        "MAOgAQA=",
        "oAMCAQE=",
        "AAAA",
        "A"
      })
  void aDamagedKeyIsNamed(String base64) {
    for (String form : new String[] {"", "RSA ", "EC "}) {
      String pem =
          "-----BEGIN %sPRIVATE KEY-----\n%s\n-----END %sPRIVATE KEY-----"
              .formatted(form, base64, form);

      assertThatThrownBy(() -> read(pem.getBytes(US_ASCII)))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the key own.pem is ");
    }
  }

  @Test
  void aKeyWithAPasswordIsRefused() {
    String pem = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----";

    assertThatThrownBy(() -> read(pem.getBytes(US_ASCII)))
        .hasMessage(
            "the file own.pem holds no PEM key without a password (-----BEGIN PRIVATE KEY-----)");
  }

  private static PrivateKey read(byte[] text) throws IOException {
    return PemKey.read(Path.of("own.pem"), text);
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = PemKeyTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }
}
