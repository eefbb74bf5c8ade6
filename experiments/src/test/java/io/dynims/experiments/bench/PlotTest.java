package io.dynims.experiments.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class PlotTest {

  @Test
  void drawsALineForEachSeriesWithinThePlot() throws Exception {
    Element svg =
        parsed(
            new LinePlot(
                "p",
                "cost <& nodes>",
                Axis.log("nodes"),
                Axis.linear("ms"),
                List.of(
                    new LinePlot.Series(
                        "one", List.of(new LinePlot.Point(1, 5), new LinePlot.Point(1_000, 50))),
                    new LinePlot.Series("two", List.of(new LinePlot.Point(10, 0))))));

    NodeList lines = svg.getElementsByTagName("polyline");
    assertThat(lines.getLength()).isEqualTo(2);
    assertThat(((Element) lines.item(0)).getAttribute("points"))
        .isEqualTo(Svg.LEFT + "," + 314.0 + " " + (Svg.LEFT + Svg.WIDTH) + "," + Svg.TOP);
    assertThat(svg.getTextContent())
        .contains("cost <& nodes>", "one", "two", "nodes", "ms", "prefers-color-scheme: dark");
  }

  @Test
  void drawsABarForEachValueWithItsNumber() throws Exception {
    Element svg =
        parsed(
            new BarPlot(
                "p",
                "rates",
                List.of("8 MiB", "32 MiB"),
                Axis.linear("GiB a second"),
                List.of(
                    new BarPlot.Series("freed", List.of(5.0, 10.0)),
                    new BarPlot.Series("limit", List.of(12.0, 12.0)))));

    NodeList bars = svg.getElementsByTagName("rect");
    assertThat(bars.getLength()).isEqualTo(4);
    double half = Double.parseDouble(((Element) bars.item(0)).getAttribute("height"));
    double whole = Double.parseDouble(((Element) bars.item(2)).getAttribute("height"));
    assertThat(whole / half).isBetween(1.99, 2.01);
    assertThat(svg.getTextContent()).contains("8 MiB", "32 MiB", "5.00", "12.0");
  }

  @Test
  void drawsAnEmptyPlotWithoutPoints() throws Exception {
    Element svg =
        parsed(
            new LinePlot(
                "p",
                "t",
                Axis.log("x"),
                Axis.log("y"),
                List.of(new LinePlot.Series("none", List.of()))));

    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(1);
  }

  @Test
  void putsZeroOnTheEdgeOfALogarithmicAxis() {
    Axis.Scale scale = Axis.log("x").over(2, 700);

    assertThat(scale.ticks()).containsExactly(1.0, 10.0, 100.0, 1_000.0);
    assertThat(scale.place(0)).isZero();
    assertThat(scale.place(1)).isZero();
    assertThat(scale.place(1_000)).isEqualTo(1);
  }

  @Test
  void beginsALinearAxisAtZeroAndEndsItAtARoundValue() {
    Axis.Scale scale = Axis.linear("x").over(40, 94);

    assertThat(scale.ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
    assertThat(scale.place(50)).isEqualTo(0.5);
  }

  @Test
  void beginsALinearAxisWhereItIsTold() {
    Axis.Scale scale = Axis.linearFrom("x", 0.8).over(0.3, 1.01);

    assertThat(scale.ticks()).hasSize(6);
    assertThat(scale.low()).isEqualTo(0.8);
    assertThat(scale.high()).isBetween(1.01, 1.051);
    assertThat(scale.place(0.3)).isZero();
  }

  @Test
  void drawsPlotsBelowEachOther() throws Exception {
    LinePlot plot =
        new LinePlot(
            "p",
            "t",
            Axis.linear("x"),
            Axis.linear("y"),
            List.of(new LinePlot.Series("s", List.of(new LinePlot.Point(1, 1)))));

    Element svg = parsed(new PlotColumn("c", "both", List.of(plot, plot)));

    NodeList plots = svg.getElementsByTagName("svg");
    assertThat(plots.getLength()).isEqualTo(2);
    int height = Integer.parseInt(((Element) plots.item(0)).getAttribute("height"));
    assertThat(((Element) plots.item(0)).getAttribute("y")).isEqualTo("0");
    assertThat(((Element) plots.item(1)).getAttribute("y")).isEqualTo("" + height);
    assertThat(svg.getAttribute("height")).isEqualTo("" + 2 * height);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.25, 0.25",
    "20, 20",
    "5000, 5000",
    "10000, 10k",
    "2500000, 2.5M",
    "4e9, 4G"
  })
  void labelsTicksBriefly(double tick, String label) {
    assertThat(Axis.Scale.label(tick)).isEqualTo(label);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0.1234, 0.123", "1.234, 1.23", "12.34, 12.3", "123.4, 123", "1234, 1234"})
  void writesThreeSignificantDigits(double value, String text) {
    assertThat(Percentiles.text(value)).isEqualTo(text);
  }

  private static Element parsed(Figure figure) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(figure.svg().getBytes(UTF_8)))
        .getDocumentElement();
  }
}
