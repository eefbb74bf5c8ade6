// Code that all charts share. Chart.js is a global that the page loads.

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
