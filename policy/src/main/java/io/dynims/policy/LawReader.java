package io.dynims.policy;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.law.MemorySize;
import io.dynims.core.quantity.Quantities;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import java.util.List;

/** Reads {@code spec.law} of a document. */
final class LawReader {

  private static final double DEFAULT_THRESHOLD = 0.95;
  private static final long DEFAULT_INTERVAL_MILLIS = 100;
  private static final List<String> FORECAST_FIELDS =
      List.of(
          "lookAhead",
          "deadBand",
          "settle",
          "headStart",
          "reserve",
          "maxGrow",
          "maxShrink",
          "pressureLimit");

  private final LawType type;
  private final double threshold;
  private final double gain;
  private final long intervalMillis;
  private final ForecastParameters forecast;

  LawReader(YamlMapping law) {
    type = law.optional("type", LawType.DEFAULT, text -> FieldValues.oneOf(LawType.class, text));
    threshold = law.optional("threshold", DEFAULT_THRESHOLD, LawReader::threshold);
    gain = law.optional("gain", type.defaultGain(), this::gain);
    intervalMillis = law.optional("interval", DEFAULT_INTERVAL_MILLIS, LawReader::intervalMillis);
    forecast = type == LawType.Forecast ? forecast(law) : refuseForecast(law);
    law.refuseUnknown();
  }

  LawType type() {
    return type;
  }

  double threshold() {
    return threshold;
  }

  double gain() {
    return gain;
  }

  long intervalMillis() {
    return intervalMillis;
  }

  /** The parameters of {@code Forecast}; null for any other law. */
  ForecastParameters forecast() {
    return forecast;
  }

  private ForecastParameters forecast(YamlMapping law) {
    ForecastParameters defaults = ForecastParameters.defaults(intervalMillis);
    return new ForecastParameters(
        law.optional("lookAhead", defaults.lookAheadMillis(), LawReader::lookAheadMillis),
        law.optional("deadBand", defaults.deadBand(), LawReader::deadBand),
        law.optional("settle", defaults.settleMillis(), LawReader::settleMillis),
        law.optional("headStart", defaults.headStart(), LawReader::sizeAboveZero),
        law.optional("reserve", defaults.reserve(), Quantities::memorySize),
        law.optional("maxGrow", defaults.maxGrow(), LawReader::sizeAboveZero),
        law.optional("maxShrink", defaults.maxShrink(), LawReader::sizeAboveZero),
        law.optional("pressureLimit", defaults.pressureLimit(), FieldValues::pressureLimit));
  }

  private ForecastParameters refuseForecast(YamlMapping law) {
    for (String field : FORECAST_FIELDS) {
      if (law.has(field)) {
        law.ignore(field);
        law.reject(field, "is a parameter of Forecast; spec.law.type is " + type);
      }
    }
    return null;
  }

  // The core's records define the ranges, so each value is tried in one.

  private static double threshold(String text) {
    double value = FieldValues.number(text);
    return FieldValues.inRange(value, () -> new LawParameters(value, 1, 0, 0));
  }

  private double gain(String text) {
    double value = FieldValues.number(text);
    return FieldValues.inRange(
        value, () -> type.check(value, type.defaults(DEFAULT_INTERVAL_MILLIS)));
  }

  private static long intervalMillis(String text) {
    long value = Quantities.millis(text);
    return FieldValues.inRange(value, () -> trial(value, Policy.MAX_INTERVAL_MILLIS));
  }

  /** A policy of which only the times count. */
  static Policy trial(long intervalMillis, long staleAfterMillis) {
    return new Policy(
        "n",
        "t",
        Mode.Off,
        LawType.Feedback,
        0.5,
        1,
        0L,
        null,
        0L,
        null,
        null,
        intervalMillis,
        staleAfterMillis,
        null);
  }

  private static long lookAheadMillis(String text) {
    long value = Quantities.millis(text);
    return FieldValues.inRange(value, () -> ForecastParameters.checkLookAhead(value));
  }

  private static long settleMillis(String text) {
    long value = Quantities.millis(text);
    return FieldValues.inRange(value, () -> ForecastParameters.checkSettle(value));
  }

  private static double deadBand(String text) {
    double value = Quantities.ratio(text);
    return FieldValues.inRange(value, () -> ForecastParameters.checkDeadBand(value));
  }

  private static MemorySize sizeAboveZero(String text) {
    MemorySize value = Quantities.memorySize(text);
    return FieldValues.inRange(value, () -> ForecastParameters.checkAboveZero("size", value));
  }
}
