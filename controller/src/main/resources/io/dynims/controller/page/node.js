// One tier of one node: its memory over the last minutes or the last hour, and the decisions behind its capacity.

import { bytes, duration, percent, time } from './format.js';
import { color, applyColors, onSchemeChange } from './charts.js';
import { facts } from './fleet.js';

const SPAN_MILLIS = { '5m': 300_000, '1h': 3_600_000 };
const MIN_WINDOW_MILLIS = 30_000;
const GAP_MILLIS = 120_000;
const BUCKET_MILLIS = 30_000;
const MAX_DECISIONS = 4000;
const NEXT_DECISIONS = 50;
const LISTED_DECISIONS = 100;
const INTERVAL_MILLIS = 500;
const GIB = 2 ** 30;

export class NodeView {
  constructor(model) {
    this.model = model;
    this.decisions = [];
    this.timer = null;
    this.showing = null;
    const spans = document.getElementById('spans');
    // A browser may keep the choice when the user returns to the page.
    this.span = spans.querySelector('input:checked').value;
    spans.addEventListener('change', event => {
      this.span = event.target.value;
      if (this.showing) this.show(this.showing.node, this.showing.tier);
    });
    onSchemeChange(() => this.chart && this.paint());
  }

  show(node, tier) {
    this.hide();
    this.showing = { node, tier };
    this.decisions = [];
    document.getElementById('node-title').textContent = `${node} · ${tier}`;
    const body = document.getElementById('decisions');
    body.replaceChildren();
    delete body.dataset.newest;
    this.load();
  }

  hide() {
    clearTimeout(this.timer);
    this.showing = null;
  }

  /** Fetches new decisions; after a gap, such as a lost connection, all decisions of the time shown. */
  async load() {
    const { showing } = this;
    const last = this.decisions.length === 0 ? this.span : NEXT_DECISIONS;
    try {
      let found = await history(showing, last);
      // If there are no recent decisions, show the last ones.
      if (found.length === 0 && last === this.span) found = await history(showing, LISTED_DECISIONS);
      if (this.showing !== showing) return;
      this.merge(found.reverse(), last);
      this.draw();
    } catch (e) {
      if (this.showing !== showing) return;
      facts('facts', [['State', e.message]]);
    }
    this.timer = setTimeout(() => this.load(), INTERVAL_MILLIS);
  }

  merge(found, requested) {
    const newestKnown = this.decisions.at(-1);
    const known = new Set(this.decisions.slice(-found.length - NEXT_DECISIONS).map(keyOf));
    const fresh = found.filter(d => !known.has(keyOf(d)));
    // If all decisions are new, some may be missing in between, so everything is fetched again.
    if (newestKnown && fresh.length === requested) this.decisions = [];
    else this.decisions.push(...fresh);
    // What a guard decided while the controller was away becomes known later than what the job decided then.
    if (newestKnown && fresh.some(d => d.decidedMillis < newestKnown.decidedMillis)) {
      this.decisions.sort((a, b) => a.decidedMillis - b.decidedMillis);
    }
    const newest = this.decisions.at(-1)?.sampledMillis ?? 0;
    const from = this.decisions.findIndex(d => d.sampledMillis >= newest - SPAN_MILLIS[this.span]);
    if (from > 0) this.decisions.splice(0, from);
    if (this.decisions.length > MAX_DECISIONS) this.decisions = downsample(this.decisions, newest - SPAN_MILLIS['5m']);
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
      ['Exists nowhere else', bytes(tier.unpersistedBytes)],
      ['Hit ratio, last minute', percent(tier.hitRatio)],
      ['Bounds', `${bytes(tier.minBytes)} to ${bytes(tier.maxBytes)}`],
      ['Memory in use', `${bytes(tier.memoryUsedBytes)} of ${bytes(tier.memoryTotalBytes)}`],
      ['Age of the sample', duration(this.model.age(tier))],
      ...factsOf(this.decisions.at(-1)),
    ]);
  }

  list() {
    const body = document.getElementById('decisions');
    const newest = this.decisions.slice(-LISTED_DECISIONS).reverse();
    const key = newest[0]?.decidedMillis + '/' + newest.length;
    if (body.dataset.newest === key) return;
    body.dataset.newest = key;
    while (body.rows.length < newest.length) {
      const row = body.insertRow();
      for (let i = 0; i < 10; i++) row.insertCell().className = i >= 2 && i <= 6 ? 'number' : '';
    }
    while (body.rows.length > newest.length) body.deleteRow(-1);
    newest.forEach((decision, i) => {
      cellsOf(decision).forEach((text, j) => {
        const cell = body.rows[i].cells[j];
        if (cell.textContent !== text) cell.textContent = text;
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
    const text = document.getElementById('memory-text');
    if (newest) {
      // A short history still fills the chart.
      const first = Math.min(points[0].sampledMillis, newest.sampledMillis - MIN_WINDOW_MILLIS);
      this.chart.options.scales.x.min = Math.max(newest.sampledMillis - SPAN_MILLIS[this.span], first);
      this.chart.options.scales.x.max = newest.sampledMillis;
      this.chart.options.scales.y.max = newest.memoryTotalBytes / GIB;
      text.textContent =
        `At ${time(newest.sampledMillis)}: jobs ${bytes(jobBytes(newest))}, tier ${bytes(tierBytes(newest))}, ` +
        `free ${bytes(newest.memoryTotalBytes - newest.memoryUsedBytes)} of ${bytes(newest.memoryTotalBytes)}.`;
    } else {
      text.textContent = 'No decisions yet.';
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
        spanGaps: GAP_MILLIS,
        maintainAspectRatio: false,
        events: [],
        plugins: { legend: { position: 'bottom', labels: { usePointStyle: true } } },
        scales: {
          x: { type: 'linear', grid: {}, ticks: { callback: value => time(value).slice(0, 8), maxRotation: 0, autoSkipPadding: 20 } },
          y: { min: 0, stacked: true, grid: {}, ticks: {}, title: { display: true, text: 'GiB' } },
        },
      },
    });
    applyColors(chart);
    return chart;
  }

  paint() {
    ['jobs', 'tier', 'free', 'mark'].forEach((name, i) => {
      this.chart.data.datasets[i].borderColor = color(name);
      this.chart.data.datasets[i].backgroundColor = color(name);
    });
    applyColors(this.chart);
    this.chart.update('none');
  }
}

/** Decisions for a tier, newest first: a number of them, or all within a time. */
async function history({ node, tier }, last) {
  const path = `/api/v1/tiers/${encodeURIComponent(node)}/history`;
  const response = await fetch(`${path}?last=${last}&tier=${encodeURIComponent(tier)}`);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer.decisions;
}

/** Like the controller: keeps two older decisions per half minute, with the highest utilization and the smallest tier. */
function downsample(decisions, fullFromMillis) {
  const kept = new Map();
  const better = (key, decision, isBetter) => {
    const held = kept.get(key);
    if (!held || isBetter(held)) kept.set(key, decision);
  };
  for (const d of decisions) {
    if (d.sampledMillis >= fullFromMillis) break;
    const bucket = Math.floor(d.decidedMillis / BUCKET_MILLIS);
    better(bucket + 'highest', d, held => d.utilization > held.utilization);
    better(bucket + 'smallest', d, held => d.desiredBytes < held.desiredBytes);
  }
  const older = [...new Set(kept.values())].sort((a, b) => a.decidedMillis - b.decidedMillis);
  return [...older, ...decisions.filter(d => d.sampledMillis >= fullFromMillis)];
}

function keyOf(decision) {
  return decision.decidedMillis + (decision.decidedBy ?? '');
}

/** The tier's share of the memory in use: never more than its capacity, nor more than all memory in use. */
function tierBytes(decision) {
  return Math.min(decision.tierUsedBytes ?? decision.previousBytes, decision.memoryUsedBytes);
}

function jobBytes(decision) {
  return decision.memoryUsedBytes - tierBytes(decision);
}

/** How the last decision came about. */
function factsOf(decision) {
  if (!decision) return [];
  const { forecast } = decision;
  const limit = ['Limited by', decision.limitedBy];
  const by = ['Decided by', deciderOf(decision)];
  if (!forecast) return [by, limit];
  return [
    by,
    ['Jobs', `${bytes(forecast.jobBytes)}, forecast ${bytes(forecast.jobAheadBytes)}`],
    ['Used then', `${bytes(decision.tierUsedBytes)}, ${duration(decision.tierUsedAgeMillis)} before the sample`],
    ['Memory pressure', percent(decision.pressure)],
    ['Safe capacity', bytes(forecast.safeBytes)],
    forecast.oscillating ? ['Limited by', `${decision.limitedBy}; the capacity oscillates`] : limit,
  ];
}

function deciderOf(decision) {
  return decision.decidedBy === 'Guard' ? 'the guard on the node' : 'the job';
}

function cellsOf(decision) {
  return [
    time(decision.decidedMillis),
    decision.action,
    percent(decision.utilization),
    bytes(decision.memoryUsedBytes),
    bytes(decision.previousBytes),
    decision.stepBytes === undefined ? '–' : bytes(-decision.stepBytes, true),
    bytes(decision.desiredBytes),
    decision.limitedBy,
    decision.decidedBy ?? 'Job',
    decision.reason,
  ];
}
