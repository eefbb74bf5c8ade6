package io.dynims.adapter.runtime;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What a class logs during a test. */
public final class LogLines extends AbstractAppender implements AutoCloseable {

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;

  /** Begins to keep them. */
  public LogLines(Class<?> of) {
    super("lines", null, null, false, Property.EMPTY_ARRAY);
    logger = (Logger) LogManager.getLogger(of);
    start();
    logger.addAppender(this);
  }

  @Override
  public void append(LogEvent event) {
    lines.add(event.getMessage().getFormattedMessage());
  }

  /** The lines with a text in them. */
  public List<String> with(String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  @Override
  public void close() {
    logger.removeAppender(this);
  }
}
