// The last hour of every tier: the smallest capacity decided in each minute.

import { bytes } from './format.js';

const INTERVAL_MILLIS = 30_000;
const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 20;

export class Trends extends EventTarget {
  constructor() {
    super();
    this.startMillis = 0;
    this.intervalMillis = 0;
    this.byTier = new Map();
    this.load();
  }

  async load() {
    try {
      if (!document.hidden) {
        const response = await fetch('/api/v1/trends');
        if (response.ok) this.take(await response.json());
      }
    } catch {
      // The page says elsewhere that the controller does not answer.
    }
    setTimeout(() => this.load(), INTERVAL_MILLIS);
  }

  take({ startMillis, intervalMillis, tiers }) {
    this.startMillis = startMillis;
    this.intervalMillis = intervalMillis;
    this.byTier = new Map(tiers.map(({ node, tier, desiredBytes }) => [keyOf(node, tier), desiredBytes]));
    this.dispatchEvent(new Event('change'));
  }

  /** One value a minute, oldest first, null where nothing was decided; undefined if unknown. */
  of({ node, tier }) {
    return this.byTier.get(keyOf(node, tier));
  }

  /** The lowest value; undefined if there is none. */
  lowest(tier) {
    const known = (this.of(tier) ?? []).filter(value => value !== null);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  /** The sum over all tiers for each minute: a tier keeps its value until it has another. */
  sums() {
    const sums = [];
    for (const values of this.byTier.values()) {
      let last = null;
      values.forEach((value, i) => {
        last = value ?? last;
        if (last !== null) sums[i] = (sums[i] ?? 0) + last;
      });
    }
    return sums;
  }
}

/** Draws a tier's last hour as a line; the full height is its maximum. */
export function drawSparkline(cell, values) {
  const { tier, element } = cell;
  if (cell.shown === (values ?? 'none') && cell.maxBytes === tier.maxBytes) return;
  cell.shown = values ?? 'none';
  cell.maxBytes = tier.maxBytes;
  if (!cell.line) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('class', 'spark');
    svg.setAttribute('aria-hidden', 'true');
    svg.setAttribute('preserveAspectRatio', 'none');
    cell.line = svg.appendChild(document.createElementNS(SVG, 'path'));
    cell.svg = svg;
    element.append(svg);
  }
  const known = (values ?? []).filter(value => value !== null);
  const top = Math.max(tier.maxBytes ?? 0, ...known, 1);
  cell.svg.setAttribute('viewBox', `0 0 ${Math.max(1, (values ?? []).length - 1)} ${HEIGHT}`);
  cell.line.setAttribute('d', path(values ?? [], top));
  element.title =
    known.length === 0
      ? 'No decisions in the last hour'
      : `Smallest capacity decided in a minute of the last hour: ${bytes(Math.min(...known))} to ${bytes(Math.max(...known))}`;
}

function path(values, top) {
  let text = '';
  let isDrawing = false;
  values.forEach((value, x) => {
    if (value !== null) {
      const y = (HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1);
      // A value alone is a short line; a path of one point would not be drawn.
      text += isDrawing ? `L${x} ${y}` : `M${x} ${y}h0.5`;
    }
    isDrawing = value !== null;
  });
  return text;
}

function keyOf(node, tier) {
  return node + '\n' + tier;
}
