package io.dynims.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * Expands a list of hosts as Slurm and PBS sites write it: names separated by commas, in which
 * brackets hold numbers and ranges, such as {@code login1,rack[1-4]node[001-128,130]}. A name with
 * several brackets stands for every combination. Numbers are padded with zeros to the width of the
 * first number of their range.
 */
final class HostList {

  static final int MAX_HOSTS = 100_000;

  private static final int MAX_DIGITS = 9;

  private final String text;
  private int position;

  private HostList(String text) {
    this.text = text;
  }

  /**
   * The names in their order; at least one.
   *
   * @throws IllegalArgumentException saying what is wrong, and at which character, from 1
   */
  static List<String> expand(String text) {
    return new HostList(text).hosts();
  }

  private List<String> hosts() {
    List<String> hosts = new ArrayList<>();
    do {
      skipSpace();
      hosts.addAll(name(MAX_HOSTS - hosts.size()));
      skipSpace();
    } while (accept(','));
    if (position < text.length()) {
      throw wrong(position, "a comma is missing before '" + text.charAt(position) + "'");
    }
    return hosts;
  }

  /** One name with its brackets, which stand for at most so many hosts. */
  private List<String> name(int room) {
    int begin = position;
    List<String> names = List.of("");
    while (position < text.length() && !endsName(text.charAt(position))) {
      List<String> parts = accept('[') ? numbers(begin, room) : List.of(plain());
      if ((long) names.size() * parts.size() > room) {
        throw tooMany(begin);
      }
      names = combined(names, parts);
    }
    if (position == begin) {
      throw wrong(begin, "a name is missing");
    }
    return names;
  }

  private static List<String> combined(List<String> beginnings, List<String> endings) {
    List<String> names = new ArrayList<>(beginnings.size() * endings.size());
    for (String beginning : beginnings) {
      for (String ending : endings) {
        names.add(beginning + ending);
      }
    }
    return names;
  }

  private String plain() {
    int begin = position;
    while (position < text.length()
        && text.charAt(position) != '['
        && !endsName(text.charAt(position))) {
      if (text.charAt(position) == ']') {
        throw wrong(position, "']' has no '[' before it");
      }
      position++;
    }
    return text.substring(begin, position);
  }

  /** What is between brackets, with the closing one. */
  private List<String> numbers(int nameBegin, int room) {
    int open = position - 1;
    List<String> numbers = new ArrayList<>();
    do {
      addRange(numbers, nameBegin, room);
    } while (accept(','));
    if (!accept(']')) {
      throw position == text.length()
          ? wrong(open, "'[' is not closed")
          : wrong(position, "'" + text.charAt(position) + "' is not a number, '-', ',' or ']'");
    }
    return numbers;
  }

  private void addRange(List<String> numbers, int nameBegin, int room) {
    int begin = position;
    String from = digits();
    String to = accept('-') ? digits() : from;
    if (to.length() < from.length() || Integer.parseInt(to) < Integer.parseInt(from)) {
      throw wrong(begin, "the range " + from + "-" + to + " ends before it begins");
    }
    if (to.startsWith("0") && to.length() != from.length()) {
      throw wrong(begin, from + " and " + to + " do not have as many digits");
    }
    int last = Integer.parseInt(to);
    if (last - Integer.parseInt(from) >= room - numbers.size()) {
      throw tooMany(nameBegin);
    }
    for (int number = Integer.parseInt(from); number <= last; number++) {
      String digits = Integer.toString(number);
      numbers.add("0".repeat(Math.max(0, from.length() - digits.length())) + digits);
    }
  }

  private String digits() {
    int begin = position;
    while (position < text.length() && isDigit(text.charAt(position))) {
      position++;
    }
    if (position == begin) {
      throw wrong(begin, "a number is missing");
    }
    if (position - begin > MAX_DIGITS) {
      throw wrong(begin, "the number has more than " + MAX_DIGITS + " digits");
    }
    return text.substring(begin, position);
  }

  private boolean accept(char expected) {
    boolean there = position < text.length() && text.charAt(position) == expected;
    if (there) {
      position++;
    }
    return there;
  }

  private void skipSpace() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  private static boolean endsName(char character) {
    return character == ',' || Character.isWhitespace(character);
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  private static IllegalArgumentException tooMany(int at) {
    return wrong(at, "the list has more than " + MAX_HOSTS + " hosts");
  }

  private static IllegalArgumentException wrong(int at, String what) {
    return new IllegalArgumentException("at character " + (at + 1) + ": " + what);
  }
}
