// The fleet: totals, a histogram of utilization, and what limits the tiers.

import { bytes, moment, percent, plural, time } from './format.js';
import { color, applyColors, onSchemeChange } from './charts.js';
import { limitOf } from './model.js';

const BINS = 20;
const INTERVAL_MILLIS = 1000;
const GIB = 2 ** 30;

export class FleetView {
  constructor(model, trends) {
    this.model = model;
    this.trends = trends;
    this.timer = null;
    onSchemeChange(() => this.chart && this.paint());
    trends.addEventListener('change', () => this.timer !== null && this.history());
  }

  show() {
    this.history();
    this.draw();
    this.timer ??= setInterval(() => this.draw(), INTERVAL_MILLIS);
  }

  hide() {
    clearInterval(this.timer);
    this.timer = null;
  }

  draw() {
    const tiers = [...this.model.tiers.values()];
    this.sums(tiers);
    table('states', count(tiers, tier => tier.state));
    table('limits', count(tiers.filter(limitOf), limitOf));
    this.histogram([...nodes(tiers).values()].filter(node => node.utilization !== undefined));
  }

  sums(tiers) {
    const sum = (all, key) => all.reduce((total, each) => total + (each[key] ?? 0), 0);
    const ofNodes = [...nodes(tiers).values()];
    const used = sum(ofNodes, 'memoryUsedBytes');
    const total = sum(ofNodes, 'memoryTotalBytes');
    facts('sums', [
      ['Nodes', String(ofNodes.length)],
      ['Node memory', bytes(total)],
      ['In use', total === 0 ? bytes(used) : `${bytes(used)}, ${percent(used / total)}`],
      ['Tiers, desired', bytes(sum(tiers, 'desiredBytes'))],
      ['Tiers, in force', bytes(sum(tiers, 'capacityBytes'))],
      ['Tiers, used', bytes(sum(tiers, 'usedBytes'))],
    ]);
  }

  histogram(nodes) {
    const bins = new Array(BINS + 1).fill(0);
    for (const node of nodes) bins[Math.min(BINS, Math.floor(node.utilization * BINS + 1e-9))]++;
    this.chart ??= this.make();
    this.chart.data.datasets[0].data = bins;
    this.chart.update('none');
    const over = nodes.filter(node => node.isOver).length;
    const text = `${plural(over, 'node')} of ${nodes.length} above the threshold.`;
    const element = document.getElementById('histogram-text');
    if (element.textContent !== text) element.textContent = text;
  }

  /** The sum of all tiers over the last hour. */
  history() {
    this.past ??= this.makeHistory();
    const { startMillis, intervalMillis } = this.trends;
    const points = [];
    this.trends.sums().forEach((sum, i) => points.push({ x: startMillis + i * intervalMillis, y: sum / GIB }));
    this.past.data.datasets[0].data = points;
    this.past.options.scales.x.min = points[0]?.x;
    this.past.options.scales.x.max = points.at(-1)?.x;
    this.past.update('none');
    const last = points.at(-1);
    const lowest = points.reduce((least, point) => Math.min(least, point.y), Infinity);
    document.getElementById('past-text').textContent = last
      ? `${bytes(last.y * GIB)} at ${time(last.x).slice(0, 5)}, at least ${bytes(lowest * GIB)}. Each tier counts with the smallest capacity decided in each minute.`
      : 'No decisions yet.';
  }

  makeHistory() {
    const chart = new Chart(document.getElementById('past'), {
      type: 'line',
      data: { datasets: [{ data: [], borderColor: color('tier'), backgroundColor: color('tier'), borderWidth: 1.5, pointRadius: 0 }] },
      options: {
        animation: false,
        parsing: false,
        normalized: true,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        plugins: {
          legend: { display: false, labels: {} },
          tooltip: { callbacks: { title: items => moment(items[0].parsed.x), label: item => bytes(item.parsed.y * GIB) } },
        },
        scales: {
          x: { type: 'linear', grid: {}, ticks: { callback: value => time(value).slice(0, 5), maxRotation: 0, autoSkipPadding: 20 } },
          y: { beginAtZero: true, grid: {}, ticks: {}, title: { display: true, text: 'GiB' } },
        },
      },
    });
    applyColors(chart);
    return chart;
  }

  make() {
    const labels = [];
    for (let i = 0; i < BINS; i++) labels.push(`${(i * 100) / BINS}–${((i + 1) * 100) / BINS}%`);
    labels.push('100% or more');
    const chart = new Chart(document.getElementById('histogram'), {
      type: 'bar',
      data: { labels, datasets: [{ data: [], backgroundColor: color('tier') }] },
      options: {
        animation: false,
        maintainAspectRatio: false,
        plugins: { legend: { display: false, labels: {} } },
        scales: {
          x: { ticks: {}, grid: {}, title: { display: true, text: 'utilization' } },
          y: { ticks: { precision: 0 }, grid: {}, beginAtZero: true, title: { display: true, text: 'nodes' } },
        },
      },
    });
    applyColors(chart);
    return chart;
  }

  paint() {
    this.chart.data.datasets[0].backgroundColor = color('tier');
    applyColors(this.chart);
    this.chart.update('none');
    this.past.data.datasets[0].borderColor = color('tier');
    applyColors(this.past);
    this.past.update('none');
  }
}

/** The nodes' memory, from their newest samples; a node may have several tiers. */
function nodes(tiers) {
  const found = new Map();
  for (const { node, memoryUsedBytes, memoryTotalBytes, utilization, threshold, sampledMillis } of tiers) {
    const known = found.get(node);
    const isOver = utilization > threshold || known?.isOver === true;
    if (known && !(sampledMillis > (known.sampledMillis ?? 0))) known.isOver = isOver;
    else found.set(node, { memoryUsedBytes, memoryTotalBytes, utilization, sampledMillis, isOver });
  }
  return found;
}

function count(tiers, key) {
  const counts = new Map();
  for (const tier of tiers) counts.set(key(tier), (counts.get(key(tier)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

function table(id, rows) {
  const body = document.getElementById(id);
  const content = rows.join(';');
  if (body.dataset.content === content) return;
  body.dataset.content = content;
  body.replaceChildren();
  for (const [name, number] of rows) {
    const row = body.insertRow();
    row.insertCell().textContent = name;
    const cell = row.insertCell();
    cell.className = 'number';
    cell.textContent = number;
  }
}

/** Fills a list of names and values, and updates only what has changed. */
export function facts(id, entries) {
  const list = document.getElementById(id);
  while (list.children.length > entries.length) list.lastChild.remove();
  entries.forEach(([name, value], i) => {
    let group = list.children[i];
    if (!group) {
      group = list.appendChild(document.createElement('div'));
      group.append(document.createElement('dt'), document.createElement('dd'));
    }
    const [dt, dd] = group.children;
    if (dt.textContent !== name) dt.textContent = name;
    if (dd.textContent !== value) dd.textContent = value;
  });
}
