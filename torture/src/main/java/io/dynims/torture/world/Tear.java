package io.dynims.torture.world;

import io.dynims.simulation.Hash;
import java.util.Arrays;

/** Damages an encoded message. */
final class Tear {

  private Tear() {}

  /** A message of which a part is missing, another byte, another digit, or there twice. */
  static byte[] of(byte[] message, long seed) {
    int place = (int) (Hash.unit(seed, 1) * message.length);
    byte[] torn = message.clone();
    switch ((int) (Hash.unit(seed, 2) * 4)) {
      case 0 -> torn = Arrays.copyOf(message, place);
      case 1 -> torn[place] = (byte) Hash.of(seed, 3);
      case 2 -> {
        int digit = digitFrom(message, place);
        if (digit >= 0) {
          torn[digit] = (byte) ('0' + (int) (Hash.unit(seed, 3) * 10));
        }
      }
      default -> {
        torn = Arrays.copyOf(message, message.length + place);
        System.arraycopy(message, 0, torn, message.length, place);
      }
    }
    return torn;
  }

  private static int digitFrom(byte[] message, int place) {
    for (int i = place; i < message.length; i++) {
      if (message[i] >= '0' && message[i] <= '9') {
        return i;
      }
    }
    return -1;
  }
}
