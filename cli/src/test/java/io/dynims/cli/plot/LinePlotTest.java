package io.dynims.cli.plot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LinePlotTest {

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
  void itsDataIsARowForEachPoint() {
    LinePlot plot =
        new LinePlot(
            "p",
            "t",
            Axis.linear("s"),
            Axis.linear("GiB"),
            List.of(new LinePlot.Series("tier, \"hot\"", List.of(new LinePlot.Point(0.5, 2)))));

    assertThat(plot.csv()).isEqualTo("series,s,GiB\n\"tier, \"\"hot\"\"\",0.5,2.0\n");
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

  @Test
  void drawsPanelsBelowEachOtherWithTheirMarks() throws Exception {
    List<LinePlot.Point> points =
        IntStream.range(0, 100_000).mapToObj(i -> new LinePlot.Point(i, i == 500 ? 9 : 1)).toList();
    Element svg =
        parsed(
            new PanelPlot(
                "p",
                "two",
                "seconds",
                List.of("a", "b"),
                List.of(
                    new PanelPlot.Panel(
                        "r",
                        List.of(new PanelPlot.Mark(5, "half")),
                        List.of(new PanelPlot.Curve(0, false, points))),
                    new PanelPlot.Panel(
                        "GB", List.of(), List.of(new PanelPlot.Curve(1, true, points))))));

    NodeList lines = svg.getElementsByTagName("polyline");
    assertThat(lines.getLength()).isEqualTo(2);
    String above = ((Element) lines.item(0)).getAttribute("points");
    String below = ((Element) lines.item(1)).getAttribute("points");
    assertThat(above.split(" ", -1)).as("points that can be told apart").hasSizeLessThan(1_300);
    assertThat(above).as("the peak of one row").contains("," + (Svg.TOP + 0.1 * Svg.HEIGHT));
    double lowest = Double.parseDouble(below.split("[, ]", 3)[1]);
    assertThat(lowest).isGreaterThan(Svg.TOP + Svg.HEIGHT);
    assertThat(svg.getTextContent()).contains("two", "half", "seconds", "GB", "a", "b");
  }

  private static Element parsed(Figure figure) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(figure.svg().getBytes(UTF_8)))
        .getDocumentElement();
  }
}
