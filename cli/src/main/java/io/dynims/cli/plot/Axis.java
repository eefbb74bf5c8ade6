package io.dynims.cli.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An axis of a plot.
 *
 * @param label what it shows, with its unit
 * @param logarithmic whether decades have equal lengths; values must then be above 0
 * @param from where a linear axis starts
 */
public record Axis(String label, boolean logarithmic, double from) {

  private static final int LINEAR_TICKS = 6;

  /** An axis with equal steps. */
  public static Axis linear(String label) {
    return linearFrom(label, 0);
  }

  /** An axis with equal steps that does not start at 0; lower values are put on its edge. */
  public static Axis linearFrom(String label, double from) {
    return new Axis(label, false, from);
  }

  /** An axis with equal decades. */
  public static Axis log(String label) {
    return new Axis(label, true, 0);
  }

  /**
   * The scale for a range of values: a linear one starts where it is told to, and both end at a
   * round value.
   */
  public Scale over(double least, double greatest) {
    if (logarithmic) {
      double low = Math.pow(10, Math.floor(Math.log10(least)));
      double high = Math.pow(10, Math.ceil(Math.log10(greatest)));
      return new Scale(
          true, low, high > low ? high : low * 10, decades(low, Math.max(high, low * 10)));
    }
    double range = Math.max(greatest - from, Double.MIN_NORMAL);
    double step = step(range);
    long steps = Math.max(1, Math.round(Math.ceil(range / step - 1e-9)));
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i <= steps; i++) {
      ticks.add(from + i * step);
    }
    return new Scale(false, from, from + steps * step, ticks);
  }

  private static List<Double> decades(double low, double high) {
    List<Double> ticks = new ArrayList<>();
    for (double tick = low; tick <= high * (1 + 1e-9); tick *= 10) {
      ticks.add(tick);
    }
    return ticks;
  }

  /** 1, 2 or 5 times a power of ten, so that there are about six steps. */
  private static double step(double greatest) {
    double raw = greatest / LINEAR_TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    for (double factor : new double[] {1, 2, 5}) {
      if (raw <= factor * power * (1 + 1e-9)) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  /** Maps values to places between 0 and 1. */
  public record Scale(boolean logarithmic, double low, double high, List<Double> ticks) {

    /** The place of a value; values outside the scale are put on its edge. */
    public double place(double value) {
      double place =
          logarithmic
              ? Math.log10(Math.max(value, low) / low) / Math.log10(high / low)
              : (value - low) / (high - low);
      return Math.max(0, Math.min(1, place));
    }

    /** Such as 0.1, 20, 5k, 3M. */
    public static String label(double tick) {
      double size = Math.abs(tick);
      if (size >= 1e9) {
        return plain(tick / 1e9) + "G";
      }
      if (size >= 1e6) {
        return plain(tick / 1e6) + "M";
      }
      return size >= 1e4 ? plain(tick / 1e3) + "k" : plain(tick);
    }

    private static String plain(double value) {
      String text = String.format(Locale.ROOT, "%.4f", value);
      return text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
  }
}
