// One tier of one node: its memory over the last minutes, and why its capacity is what it is.

import { bytes, duration, percent, time } from './format.js';
import { color, dress, onScheme } from './charts.js';
import { facts } from './fleet.js';

const WINDOW_MILLIS = 300_000;
const LEAST_WINDOW_MILLIS = 30_000;
const FIRST = 3000;
const NEXT = 50;
const LISTED = 100;
const INTERVAL_MILLIS = 500;
const GIB = 2 ** 30;

export class NodeView {
  constructor(model) {
    this.model = model;
    this.decisions = [];
    this.timer = null;
    this.showing = null;
    onScheme(() => this.chart && this.paint());
  }

  show(node, tier) {
    this.hide();
    this.showing = { node, tier };
    this.decisions = [];
    document.getElementById('node-title').textContent = `${node} · ${tier}`;
    document.getElementById('decisions').replaceChildren();
    this.load();
  }

  hide() {
    clearTimeout(this.timer);
    this.showing = null;
  }

  /** Fetches what is new; after a gap, such as a lost connection, all there is. */
  async load() {
    const { showing } = this;
    const last = this.decisions.length === 0 ? FIRST : NEXT;
    try {
      const path = `/api/v1/tiers/${encodeURIComponent(showing.node)}/history`;
      const response = await fetch(`${path}?last=${last}&tier=${encodeURIComponent(showing.tier)}`);
      if (!response.ok) throw new Error((await response.json()).detail);
      const { decisions } = await response.json();
      if (this.showing !== showing) return;
      this.take(decisions.reverse(), last);
      this.draw();
    } catch (e) {
      if (this.showing !== showing) return;
      facts('facts', [['State', e.message]]);
    }
    this.timer = setTimeout(() => this.load(), INTERVAL_MILLIS);
  }

  take(found, asked) {
    const known = this.decisions.at(-1);
    const fresh = known ? found.filter(d => d.decidedMillis > known.decidedMillis) : found;
    // Everything that was asked for is new: there may be more between, so that all is fetched anew.
    if (known && fresh.length === asked) this.decisions = [];
    else this.decisions.push(...fresh);
    const newest = this.decisions.at(-1)?.sampledMillis ?? 0;
    const from = this.decisions.findIndex(d => d.sampledMillis >= newest - WINDOW_MILLIS);
    if (from > 0) this.decisions.splice(0, from);
  }

  draw() {
    const tier = this.model.find(this.showing.node, this.showing.tier);
    if (tier) this.facts(tier);
    this.list();
    this.graph();
  }

  facts(tier) {
    facts('facts', [
      ['State', tier.stateReason ? `${tier.state}: ${tier.stateReason}` : tier.state],
      ['Mode', tier.mode],
      ['Utilization', `${percent(tier.utilization)}, threshold ${percent(tier.threshold)}`],
      ['Desired', bytes(tier.desiredBytes)],
      ['In force', bytes(tier.capacityBytes)],
      ['Used', bytes(tier.usedBytes)],
      ['Cannot be evicted', bytes(tier.unevictableBytes)],
      ['Bounds', `${bytes(tier.minBytes)} to ${bytes(tier.maxBytes)}`],
      ['Memory in use', `${bytes(tier.memoryUsedBytes)} of ${bytes(tier.memoryTotalBytes)}`],
      ['Age of the sample', duration(this.model.age(tier))],
    ]);
  }

  list() {
    const body = document.getElementById('decisions');
    const newest = this.decisions.slice(-LISTED).reverse();
    const key = newest[0]?.decidedMillis + '/' + newest.length;
    if (body.dataset.newest === key) return;
    body.dataset.newest = key;
    while (body.rows.length < newest.length) {
      const row = body.insertRow();
      for (let i = 0; i < 9; i++) row.insertCell().className = i >= 2 && i <= 6 ? 'number' : '';
    }
    while (body.rows.length > newest.length) body.deleteRow(-1);
    newest.forEach((decision, i) => {
      cellsOf(decision).forEach((told, j) => {
        const cell = body.rows[i].cells[j];
        if (cell.textContent !== told) cell.textContent = told;
      });
    });
  }

  graph() {
    this.chart ??= this.make();
    const points = this.decisions;
    const [jobs, tier, free, threshold] = this.chart.data.datasets;
    const at = (d, value) => ({ x: d.sampledMillis, y: value / GIB });
    jobs.data = points.map(d => at(d, jobBytes(d)));
    tier.data = points.map(d => at(d, tierBytes(d)));
    free.data = points.map(d => at(d, Math.max(0, d.memoryTotalBytes - d.memoryUsedBytes)));
    threshold.data = points.map(d => at(d, (d.threshold ?? NaN) * d.memoryTotalBytes));
    const newest = points.at(-1);
    if (newest) {
      // As long as little is known it fills the chart all the same.
      const first = Math.min(points[0].sampledMillis, newest.sampledMillis - LEAST_WINDOW_MILLIS);
      this.chart.options.scales.x.min = Math.max(newest.sampledMillis - WINDOW_MILLIS, first);
      this.chart.options.scales.x.max = newest.sampledMillis;
      this.chart.options.scales.y.max = newest.memoryTotalBytes / GIB;
      document.getElementById('memory-text').textContent =
        `At ${time(newest.sampledMillis)}: jobs ${bytes(jobBytes(newest))}, tier ${bytes(tierBytes(newest))}, ` +
        `free ${bytes(newest.memoryTotalBytes - newest.memoryUsedBytes)} of ${bytes(newest.memoryTotalBytes)}.`;
    }
    this.chart.update('none');
  }

  make() {
    const area = (label, name, fill) => ({
      label, borderColor: color(name), backgroundColor: color(name), fill, pointStyle: 'rect', pointRadius: 0, borderWidth: 1, stack: 'memory',
    });
    const chart = new Chart(document.getElementById('memory'), {
      type: 'line',
      data: {
        datasets: [
          area('jobs', 'jobs', 'origin'),
          area('tier', 'tier', '-1'),
          area('free', 'free', '-1'),
          { label: 'threshold', order: -1, pointStyle: 'line', borderColor: color('mark'), backgroundColor: color('mark'), borderDash: [6, 4], borderWidth: 1.5, pointRadius: 0, fill: false, stack: 'threshold' },
        ],
      },
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        events: [],
        plugins: { legend: { position: 'bottom', labels: { usePointStyle: true } } },
        scales: {
          x: { type: 'linear', grid: {}, ticks: { callback: value => time(value).slice(0, 8), maxRotation: 0, autoSkipPadding: 20 } },
          y: { min: 0, stacked: true, grid: {}, ticks: {}, title: { display: true, text: 'GiB' } },
        },
      },
    });
    dress(chart);
    return chart;
  }

  paint() {
    ['jobs', 'tier', 'free', 'mark'].forEach((name, i) => {
      this.chart.data.datasets[i].borderColor = color(name);
      this.chart.data.datasets[i].backgroundColor = color(name);
    });
    dress(this.chart);
    this.chart.update('none');
  }
}

/** What the tier occupies: it never holds more than its capacity, nor more than is in use at all. */
function tierBytes(decision) {
  return Math.min(decision.tierUsedBytes ?? decision.previousBytes, decision.memoryUsedBytes);
}

function jobBytes(decision) {
  return decision.memoryUsedBytes - tierBytes(decision);
}

function cellsOf(decision) {
  return [
    time(decision.decidedMillis),
    decision.action,
    percent(decision.utilization),
    bytes(decision.memoryUsedBytes),
    bytes(decision.previousBytes),
    decision.stepBytes === undefined ? '–' : bytes(-decision.stepBytes, true),
    bytes(decision.capacityBytes),
    decision.limitedBy,
    decision.reason,
  ];
}
