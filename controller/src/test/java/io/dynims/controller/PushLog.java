package io.dynims.controller;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The logs of adapters in this process: every push that was applied, and who sent it. */
final class PushLog extends Handler {

  private static final Pattern LINE =
      Pattern.compile("push to (\\S+): controller (\\S+), term (\\d+), (\\d+) bytes");

  private final Logger logger = Logger.getLogger("io.dynims.tier.LeasedTier");
  private final ConcurrentLinkedQueue<Push> pushes = new ConcurrentLinkedQueue<>();

  /** A push that was applied. */
  record Push(String node, String controller, long term, long atNanos) {}

  PushLog() {
    logger.setLevel(Level.FINE);
    logger.addHandler(this);
  }

  @Override
  public void publish(LogRecord line) {
    Matcher push = LINE.matcher(line.getMessage());
    if (push.matches()) {
      long term = Long.parseLong(push.group(3));
      pushes.add(new Push(push.group(1), push.group(2), term, System.nanoTime()));
    }
  }

  /** The pushes since a time of {@code System.nanoTime}, in order. */
  List<Push> since(long nanos) {
    return pushes.stream().filter(push -> push.atNanos() - nanos >= 0).toList();
  }

  /** The pushes to each node, in order. */
  Map<String, List<Push>> byNode() {
    return pushes.stream()
        .collect(Collectors.groupingBy(Push::node, TreeMap::new, Collectors.toList()));
  }

  /** The nodes that a controller pushed to since a time. */
  Set<String> nodes(String controller, long sinceNanos) {
    return since(sinceNanos).stream()
        .filter(push -> push.controller().equals(controller))
        .map(Push::node)
        .collect(Collectors.toSet());
  }

  /** The controllers that pushed since a time. */
  Set<String> controllers(long sinceNanos) {
    return since(sinceNanos).stream().map(Push::controller).collect(Collectors.toSet());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
