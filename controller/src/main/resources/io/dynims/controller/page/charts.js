// Code that all charts share. Chart.js is a global that the page loads.

import { moment, time } from './format.js';

/** A longer time without a decision is a gap. */
const GAP_MILLIS = 120_000;

/** A color from the style sheet, for the current color scheme. */
export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

export function applyColors(chart) {
  const scales = chart.options.scales;
  for (const axis of Object.values(scales)) {
    axis.ticks.color = color('soft');
    axis.grid.color = color('grid');
    if (axis.title) axis.title.color = color('soft');
  }
  chart.options.plugins.legend.labels.color = color('text');
}

/** Calls back when the color scheme changes. */
export function onSchemeChange(callback) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', callback);
}

/** The options of a chart of lines over time; a tooltip has the text of each item. */
export function timeOptions(y, text) {
  return {
    animation: false,
    parsing: false,
    normalized: true,
    spanGaps: GAP_MILLIS,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    plugins: {
      legend: { position: 'bottom', labels: { usePointStyle: true }, onClick: () => {} },
      tooltip: {
        callbacks: {
          title: items => moment(items[0].parsed.x),
          label: item => `${item.dataset.label} ${text(item.parsed.y)}`,
        },
      },
    },
    scales: {
      x: { type: 'linear', grid: {}, ticks: { callback: value => time(value).slice(0, 8), maxRotation: 0, autoSkipPadding: 20 } },
      y: { grid: {}, ticks: {}, ...y },
    },
  };
}

/** Draws a chart whose datasets have a colorName in the colors of now. */
export function paint(chart) {
  for (const dataset of chart.data.datasets) {
    dataset.borderColor = color(dataset.colorName);
    dataset.backgroundColor = color(dataset.colorName);
  }
  applyColors(chart);
  chart.update('none');
}
