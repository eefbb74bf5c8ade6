package io.dynims.experiments.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import java.io.ByteArrayInputStream;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class BarPlotTest {

  @Test
  void drawsABarForEachValueWithItsNumberAndOneInTheLegendForEachSeries() throws Exception {
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
    assertThat(bars.getLength()).isEqualTo(6);
    double half = Double.parseDouble(((Element) bars.item(0)).getAttribute("height"));
    double whole = Double.parseDouble(((Element) bars.item(2)).getAttribute("height"));
    assertThat(whole / half).isBetween(1.99, 2.01);
    assertThat(svg.getTextContent()).contains("8 MiB", "32 MiB", "5.00", "12.0");
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
