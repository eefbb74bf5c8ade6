package io.dynims.browser;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Headless Chromium with one page open. */
final class Browser implements AutoCloseable {

  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final Dimension DESK = new Dimension(1280, 900);
  private static final Dimension PHONE = new Dimension(400, 800);

  private final ChromeDriver driver;
  private final List<String> console = new ArrayList<>();

  /** Starts Debian's Chromium with its driver; downloads nothing. */
  Browser() {
    ChromeOptions options = new ChromeOptions();
    options.setBinary("/usr/bin/chromium");
    // Tests may run as root, for whom Chromium's own sandbox does not work; only our own pages are
    // opened.
    options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(new java.io.File("/usr/bin/chromedriver"))
            .build();
    driver = new ChromeDriver(service, options);
    driver.manage().window().setSize(DESK);
  }

  /** Waits patiently, for conditions that become true even on a slow machine. */
  static ConditionFactory await() {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(200))
        .ignoreException(StaleElementReferenceException.class);
  }

  void open(URI address) {
    driver.get(address.toString());
  }

  /** The text of an element; empty if it is hidden or does not exist. */
  String text(String selector) {
    List<WebElement> found = driver.findElements(By.cssSelector(selector));
    return found.isEmpty() || !found.get(0).isDisplayed() ? "" : found.get(0).getText();
  }

  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  Object runAsync(String script, Object... arguments) {
    return driver.executeAsyncScript(script, arguments);
  }

  Map<String, Object> devTools(String command, Map<String, Object> parameters) {
    return driver.executeCdpCommand(command, parameters);
  }

  /** Sets the preferred colour scheme, light or dark. */
  void scheme(String scheme) {
    devTools(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  void asPhone(boolean phone) {
    driver.manage().window().setSize(phone ? PHONE : DESK);
  }

  /** Violations of the accessibility rules of axe. */
  List<String> accessibilityViolations() {
    return new AxeBuilder()
        .analyze(driver).getViolations().stream()
            .map(
                (Rule rule) ->
                    rule.getId() + ": " + rule.getHelp() + " " + rule.getNodes().get(0).getHtml())
            .toList();
  }

  /** Whether a chart shows anything. */
  boolean isPainted(String canvas) {
    return Boolean.TRUE.equals(
        run(
            "const c = document.getElementById(arguments[0]);"
                + "if (!c.width) return false;"
                + "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                + "for (let i = 3; i < d.length; i += 4) if (d[i] !== 0) return true;"
                + "return false",
            canvas));
  }

  /** Writes a screenshot to {@code target/screenshots}. */
  void screenshot(String name) throws IOException {
    Files.createDirectories(SCREENSHOTS);
    Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
  }

  /** Writes a picture of an element to a file. */
  void picture(String selector, Path file) throws IOException {
    Files.write(file, all(selector).get(0).getScreenshotAs(OutputType.BYTES));
  }

  /** Errors and warnings of the console so far, except failed requests to a stopped controller. */
  List<String> consoleErrors() {
    for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
      if (entry.getLevel().intValue() >= Level.WARNING.intValue()
          && !entry.getMessage().contains("net::ERR_")) {
        console.add(entry.toString());
      }
    }
    return List.copyOf(console);
  }

  @Override
  public void close() {
    driver.quit();
  }
}
