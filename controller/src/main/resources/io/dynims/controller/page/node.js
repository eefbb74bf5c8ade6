// One tier of one node: its memory over the last minutes or the last hour, and the decisions behind its capacity.

import { Actions } from './actions.js';
import { bytes, duration, moment, percent, time, zone } from './format.js';
import { onSchemeChange, paint, timeOptions } from './charts.js';
import { facts } from './fleet.js';
import { LISTED_DECISIONS, SPAN_MILLIS, Timeline } from './timeline.js';
import { WhatIf } from './whatif.js';

const MIN_WINDOW_MILLIS = 30_000;
const INTERVAL_MILLIS = 500;
const GIB = 2 ** 30;
const OTHER_COLORS = ['other', 'third'];

export class NodeView {
  constructor(model) {
    this.model = model;
    this.decisions = [];
    this.others = [];
    this.timer = null;
    this.showing = null;
    this.actions = new Actions();
    this.whatIf = new WhatIf();
    const spans = document.getElementById('spans');
    // A browser may keep the choice when the user returns to the page.
    this.span = spans.querySelector('input:checked').value;
    spans.addEventListener('change', event => {
      this.span = event.target.value;
      if (this.showing) this.show(this.showing.node, this.showing.tier);
    });
    onSchemeChange(() => this.chart && paint(this.chart));
  }

  show(node, tier) {
    this.hide();
    this.showing = new Timeline(node, tier, this.span);
    this.others = [];
    this.decisions = [];
    document.getElementById('zone').textContent = `Times are in this browser's zone, ${zone()}. Point at one for its date.`;
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

  async load() {
    const { showing } = this;
    try {
      this.findOthers();
      await Promise.all([showing, ...this.others].map(each => each.load()));
      if (this.showing !== showing) return;
      this.decisions = showing.decisions;
      this.draw();
    } catch (e) {
      if (this.showing !== showing) return;
      facts('facts', [['State', e.message]]);
    }
    this.timer = setTimeout(() => this.load(), INTERVAL_MILLIS);
  }

  /** Keeps a timeline of each of the node's other tiers, sorted by name. */
  findOthers() {
    const { node, tier, span } = this.showing;
    const names = [...this.model.tiers.values()].filter(each => each.node === node && each.tier !== tier).map(each => each.tier).sort();
    this.others = names.map(name => this.others.find(each => each.tier === name) ?? new Timeline(node, name, span));
  }

  draw() {
    const tier = this.model.find(this.showing.node, this.showing.tier);
    if (tier) {
      this.facts(tier);
      this.actions.draw(tier);
      this.whatIf.draw(tier);
    }
    this.list();
    this.graph();
  }

  facts(tier) {
    facts('facts', [
      ['State', tier.stateReason ? `${tier.state}: ${tier.stateReason}` : tier.state],
      ['Mode', tier.paused ? `${tier.mode}, paused` : tier.mode],
      ['Policy', tier.namespace === undefined ? tier.policy : `${tier.namespace}/${tier.policy}`],
      ['Law', tier.law],
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
      body.rows[i].cells[0].title = moment(decision.decidedMillis);
      cellsOf(decision).forEach((text, j) => {
        const cell = body.rows[i].cells[j];
        if (cell.textContent !== text) cell.textContent = text;
      });
    });
  }

  /** One stack: the jobs, this tier, the node's other tiers, and what is free. */
  graph() {
    const names = this.others.map(each => each.tier).join('/');
    if (this.chart?.dynimsTiers !== names) {
      this.chart?.destroy();
      this.chart = this.make();
      this.chart.dynimsTiers = names;
    }
    const points = this.decisions;
    const rows = points.map(d => stackOf(d, this.others));
    const at = (d, value) => ({ x: d.sampledMillis, y: value / GIB });
    this.chart.data.datasets.forEach((dataset, part) => {
      dataset.data = points.map((d, i) => at(d, rows[i][part]));
    });
    const newest = points.at(-1);
    const text = document.getElementById('memory-text');
    if (newest) {
      // A short history still fills the chart.
      const first = Math.min(points[0].sampledMillis, newest.sampledMillis - MIN_WINDOW_MILLIS);
      this.chart.options.scales.x.min = Math.max(newest.sampledMillis - SPAN_MILLIS[this.span], first);
      this.chart.options.scales.x.max = newest.sampledMillis;
      this.chart.options.scales.y.max = newest.memoryTotalBytes / GIB;
      const parts = rows.at(-1).slice(0, -1).map((value, i) => `${this.chart.data.datasets[i].label} ${bytes(value)}`);
      text.textContent = `At ${time(newest.sampledMillis)}: ${parts.join(', ')} of ${bytes(newest.memoryTotalBytes)}.`;
    } else {
      text.textContent = 'No decisions yet.';
    }
    this.chart.update('none');
  }

  make() {
    const area = (label, name, fill) => ({
      label, colorName: name, fill, pointStyle: 'rect', pointRadius: 0, borderWidth: 1, stack: 'memory',
    });
    const chart = new Chart(document.getElementById('memory'), {
      type: 'line',
      data: {
        datasets: [
          area('jobs', 'jobs', 'origin'),
          area(this.others.length === 0 ? 'tier' : this.showing.tier, 'tier', '-1'),
          ...this.others.map((each, i) => area(each.tier, OTHER_COLORS[i % OTHER_COLORS.length], '-1')),
          area('free', 'free', '-1'),
          { label: 'threshold', colorName: 'mark', order: -1, pointStyle: 'line', borderDash: [6, 4], borderWidth: 1.5, pointRadius: 0, fill: false, stack: 'threshold' },
        ],
      },
      options: timeOptions({ min: 0, stacked: true, title: { display: true, text: 'GiB' } }, value => bytes(value * GIB)),
    });
    paint(chart);
    return chart;
  }
}

/** What a chart shows of a decision: jobs, this tier, other tiers, what is free, and the threshold. */
function stackOf(decision, others) {
  const { memoryUsedBytes, memoryTotalBytes, threshold } = decision;
  let left = memoryUsedBytes;
  const tiers = [decision, ...others.map(each => each.at(decision.sampledMillis))].map(each => {
    const held = each ? Math.min(each.tierUsedBytes ?? each.previousBytes, left) : 0;
    left -= held;
    return held;
  });
  return [left, ...tiers, Math.max(0, memoryTotalBytes - memoryUsedBytes), (threshold ?? NaN) * memoryTotalBytes];
}

/** How the last decision came about. */
function factsOf(decision) {
  if (!decision) return [];
  const { forecast, share } = decision;
  const limit = ['Limited by', decision.limitedBy];
  const by = [['Decided by', deciderOf(decision)]];
  if (share) by.push(['Share of the step', `${percent(share.ratio)} of ${bytes(-share.stepBytes, true)}, ${share.tiers} tiers`]);
  if (!forecast) return [...by, limit];
  return [
    ...by,
    ['Jobs', `${bytes(forecast.jobBytes)}, forecast ${bytes(forecast.jobAheadBytes)}`],
    ['Used then', `${bytes(decision.tierUsedBytes)}, ${duration(decision.tierUsedAgeMillis)} before the sample`],
    ['Memory pressure', percent(decision.pressure)],
    ['Safe capacity', bytes(forecast.safeBytes)],
    limit,
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
