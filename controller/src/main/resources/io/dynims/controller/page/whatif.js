// What a tier would have done under another law, threshold or gain, beside what it did. The controller simulates it.

import { bytes, duration, percent, plural, time } from './format.js';
import { onSchemeChange, paint, timeOptions } from './charts.js';

const GIB = 2 ** 30;
const BUSY_MILLIS = 1000;
const ATTEMPTS = 5;
const byId = id => document.getElementById(id);

export class WhatIf {
  constructor() {
    this.showing = null;
    this.charts = null;
    byId('what-if-form').addEventListener('submit', event => {
      event.preventDefault();
      this.simulate();
    });
    onSchemeChange(() => this.charts?.forEach(paint));
  }

  /** Begins with the tier's own policy. */
  draw(tier) {
    const key = tier.node + '\n' + tier.tier;
    if (this.showing === key) return;
    this.showing = key;
    this.node = tier.node;
    this.tier = tier.tier;
    byId('what-if-law').value = tier.law;
    byId('what-if-threshold').value = Number((tier.threshold * 100).toFixed(2));
    byId('what-if-gain').value = '';
    byId('what-if-said').textContent = '';
    byId('what-if-result').hidden = true;
  }

  async simulate() {
    const { showing } = this;
    const said = byId('what-if-said');
    said.textContent = 'Simulating';
    try {
      const answer = await this.fetch();
      if (this.showing !== showing) return;
      this.show(answer);
      said.textContent = '';
    } catch (e) {
      if (this.showing === showing) said.textContent = e.message;
    }
  }

  /** Asks again while another simulation is running. */
  async fetch() {
    const query = new URLSearchParams({
      tier: this.tier,
      last: byId('what-if-span').value,
      law: byId('what-if-law').value,
      threshold: byId('what-if-threshold').value / 100,
    });
    const gain = byId('what-if-gain').value;
    if (gain !== '') query.set('gain', gain);
    const address = `/api/v1/tiers/${encodeURIComponent(this.node)}/simulation?${query}`;
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(address);
      const answer = await response.json();
      if (response.ok) return answer;
      if (response.status !== 503 || attempt === ATTEMPTS) throw new Error(answer.detail);
      await new Promise(resolve => setTimeout(resolve, BUSY_MILLIS));
    }
  }

  show(answer) {
    const { law, threshold, gain, recorded, simulated, points } = answer;
    const name = `${law}, ${percent(threshold)}, λ ${gain}`;
    byId('what-if-figures').replaceChildren(row('Recorded', recorded), row(`Simulated: ${name}`, simulated));
    const from = points[0].sampledMillis;
    const to = points.at(-1).sampledMillis;
    byId('what-if-text').textContent = `${plural(points.length, 'decision')} from ${time(from)} to ${time(to)}, ${duration(to - from)}.`;
    byId('what-if-result').hidden = false;
    this.charts ??= [make('what-if-utilization', '%', percentOf), make('what-if-capacity', 'GiB', gibibytesOf)];
    const series = (value, unit) => points.map(point => ({ x: point.sampledMillis, y: point[value] * unit }));
    const line = points.map(point => ({ x: point.sampledMillis, y: threshold * 100 }));
    const [utilization, capacity] = this.charts;
    fill(utilization, [series('recordedUtilization', 100), series('utilization', 100), line], from, to);
    fill(capacity, [series('recordedCapacityBytes', 1 / GIB), series('capacityBytes', 1 / GIB)], from, to);
  }
}

function row(name, figures) {
  const element = document.createElement('tr');
  const head = element.appendChild(document.createElement('th'));
  head.scope = 'row';
  head.textContent = name;
  const cells = [
    percent(figures.maxUtilization),
    duration(figures.aboveThresholdMillis),
    duration(figures.aboveMemoryMillis),
    bytes(figures.meanCapacityBytes),
    bytes(figures.evictedBytes),
    String(figures.directionChanges),
  ];
  for (const text of cells) {
    const cell = element.insertCell();
    cell.className = 'number';
    cell.textContent = text;
  }
  return element;
}

function percentOf(value) {
  return percent(value / 100);
}

function gibibytesOf(value) {
  return bytes(value * GIB);
}

function fill(chart, series, from, to) {
  chart.data.datasets.forEach((dataset, i) => (dataset.data = series[i]));
  chart.options.scales.x.min = from;
  chart.options.scales.x.max = to;
  chart.update('none');
}

function make(canvas, unit, format) {
  const line = (label, name, more) => ({
    label, colorName: name, pointStyle: 'line', pointRadius: 0, borderWidth: 1.5, fill: false, ...more,
  });
  const datasets = [line('recorded', 'tier'), line('simulated', 'jobs')];
  if (unit === '%') datasets.push(line('simulated threshold', 'mark', { borderDash: [6, 4] }));
  const chart = new Chart(byId(canvas), {
    type: 'line',
    data: { datasets },
    options: timeOptions({ title: { display: true, text: unit } }, format),
  });
  paint(chart);
  return chart;
}
