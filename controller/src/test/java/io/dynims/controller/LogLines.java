package io.dynims.controller;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What a logger logs during a test, each line with its level. */
public final class LogLines extends AbstractAppender implements AutoCloseable {

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;

  /** Listens to a logger from now on. */
  public LogLines(String name) {
    super("lines", null, null, false, Property.EMPTY_ARRAY);
    logger = (Logger) LogManager.getLogger(name);
    start();
    logger.addAppender(this);
  }

  @Override
  public void append(LogEvent event) {
    lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
  }

  /** The lines so far. */
  public List<String> seen() {
    return List.copyOf(lines);
  }

  /** The lines since the last call. */
  public List<String> take() {
    List<String> taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }

  @Override
  public void close() {
    logger.removeAppender(this);
  }
}
