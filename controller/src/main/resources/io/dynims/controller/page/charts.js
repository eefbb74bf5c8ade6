// What all charts have in common. Chart.js is loaded by the page and is a global.

/** A color of the style sheet, which knows dark from light. */
export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

export function dress(chart) {
  const scales = chart.options.scales;
  for (const axis of Object.values(scales)) {
    axis.ticks.color = color('soft');
    axis.grid.color = color('grid');
    if (axis.title) axis.title.color = color('soft');
  }
  chart.options.plugins.legend.labels.color = color('text');
}

/** Calls back when light becomes dark or the reverse. */
export function onScheme(callback) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', callback);
}
