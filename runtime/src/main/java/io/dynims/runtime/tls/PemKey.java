package io.dynims.runtime.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads private keys without a password from PEM files. The JDK reads PKCS #8 only; RSA keys in
 * PKCS #1 and elliptic-curve keys in SEC 1, which Helm and OpenSSL write, are wrapped in PKCS #8
 * first.
 */
final class PemKey {

  private static final Pattern BLOCK =
      Pattern.compile(
          "-----BEGIN (RSA |EC |)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");
  private static final List<String> TYPES = List.of("RSA", "EC", "Ed25519");

  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;
  private static final int CURVE = 0xA0;
  private static final byte[] VERSION_0 = HexFormat.of().parseHex("020100");
  private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");
  private static final byte[] ELLIPTIC_CURVE = HexFormat.of().parseHex("06072a8648ce3d0201");

  private PemKey() {}

  /**
   * Reads a key.
   *
   * @param file for messages
   * @throws IOException if the text holds no key that can be used; the message names the file
   */
  static PrivateKey read(Path file, byte[] text) throws IOException {
    Matcher pem = BLOCK.matcher(new String(text, US_ASCII));
    if (!pem.find()) {
      throw new IOException(
          "the file "
              + file
              + " holds no PEM key without a password (-----BEGIN PRIVATE KEY-----)");
    }
    byte[] encoded;
    try {
      encoded = pkcs8(pem.group(1).strip(), Base64.getMimeDecoder().decode(pem.group(2)));
    } catch (IllegalArgumentException e) {
      throw new IOException("the key " + file + " is damaged: " + e.getMessage(), e);
    }
    for (String type : TYPES) {
      try {
        return KeyFactory.getInstance(type).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException e) {
        // Perhaps of the next type.
      } catch (GeneralSecurityException e) {
        throw new IOException("cannot read the key " + file + ": " + e, e);
      }
    }
    throw new IOException("the key " + file + " is of none of the types " + TYPES);
  }

  private static byte[] pkcs8(String form, byte[] key) {
    return switch (form) {
      case "RSA" -> wrap(RSA, key);
      case "EC" -> wrap(concatenate(ELLIPTIC_CURVE, curve(key)), key);
      default -> key;
    };
  }

  /** RFC 5208: version, algorithm with its parameters, and the key. */
  private static byte[] wrap(byte[] algorithm, byte[] key) {
    return element(
        SEQUENCE, concatenate(VERSION_0, element(SEQUENCE, algorithm), element(OCTET_STRING, key)));
  }

  /** RFC 5915: the curve's identifier, which stands in the key's element [0]. */
  private static byte[] curve(byte[] key) {
    ByteBuffer elements = content(ByteBuffer.wrap(key), SEQUENCE);
    while (elements.hasRemaining()) {
      int tag = Byte.toUnsignedInt(elements.get(elements.position()));
      ByteBuffer content = content(elements, tag);
      if (tag == CURVE) {
        byte[] identifier = new byte[content.remaining()];
        content.get(identifier);
        return identifier;
      }
    }
    throw new IllegalArgumentException("it does not name its curve");
  }

  /** The content of the DER element at the position, which moves behind it. */
  private static ByteBuffer content(ByteBuffer from, int tag) {
    try {
      if (Byte.toUnsignedInt(from.get()) != tag) {
        throw new IllegalArgumentException("it is not in DER");
      }
      int length = Byte.toUnsignedInt(from.get());
      if (length > 0x82) {
        throw new IllegalArgumentException("it is too long");
      } else if (length > 0x80) {
        int bytes = length - 0x80;
        length = 0;
        for (int i = 0; i < bytes; i++) {
          length = length << 8 | Byte.toUnsignedInt(from.get());
        }
      }
      ByteBuffer content = from.slice(from.position(), length);
      from.position(from.position() + length);
      return content;
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("it is cut off", e);
    }
  }

  private static byte[] element(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else if (content.length < 0x100) {
      out.write(0x81);
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] concatenate(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
