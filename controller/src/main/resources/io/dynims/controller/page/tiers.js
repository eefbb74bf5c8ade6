// The table of all tiers. Only visible rows are in the document, however many tiers there are.

import { bytes, duration, percent } from './format.js';
import { drawSparkline } from './trends.js';

const ROW_PIXELS = 32;
const SPARE_ROWS = 8;

function text(value) {
  return cell => {
    const content = value(cell.tier);
    if (cell.shown !== content) {
      cell.shown = content;
      cell.element.textContent = content;
    }
  };
}

function state(cell) {
  const { tier, element } = cell;
  const content = tier.state + '\n' + (tier.stateReason ?? '');
  if (cell.shown === content) return;
  cell.shown = content;
  element.textContent = tier.state;
  element.className = 'state-' + tier.state;
  element.title = tier.stateReason ?? '';
}

/** A bar whose full length is the node's memory, with a mark at the threshold. */
function meter(cell) {
  const { tier, element } = cell;
  if (!cell.bar) {
    const bar = document.createElement('span');
    bar.className = 'meter';
    bar.setAttribute('aria-hidden', 'true');
    cell.bar = bar.appendChild(document.createElement('i'));
    cell.mark = bar.appendChild(document.createElement('b'));
    cell.label = document.createElement('span');
    element.append(bar, cell.label);
  }
  const content = percent(tier.utilization);
  if (cell.shown !== content) {
    cell.shown = content;
    cell.label.textContent = content;
    cell.bar.style.width = Math.min(100, (tier.utilization ?? 0) * 100) + '%';
    cell.bar.parentElement.classList.toggle('over', tier.utilization > tier.threshold);
  }
  if (cell.threshold !== tier.threshold) {
    cell.threshold = tier.threshold;
    cell.mark.style.left = tier.threshold * 100 + '%';
  }
}

function link(cell) {
  const { tier, element } = cell;
  const address = `#/node/${encodeURIComponent(tier.node)}/${encodeURIComponent(tier.tier)}`;
  if (cell.shown === address) return;
  cell.shown = address;
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.textContent = tier.node;
  element.replaceChildren(anchor);
}

export class TiersView {
  constructor(model, trends) {
    this.model = model;
    this.columns = [
      { name: 'Node', key: tier => tier.node, draw: link },
      { name: 'Tier', key: tier => tier.tier, draw: text(tier => tier.tier), wide: true },
      { name: 'Mode', key: modeOf, draw: text(modeOf), wide: true },
      { name: 'State', key: tier => tier.state, draw: state },
      { name: 'Utilization', key: tier => tier.utilization, draw: meter },
      { name: 'Desired', key: tier => tier.desiredBytes, draw: text(tier => bytes(tier.desiredBytes)), number: true, wide: true },
      { name: 'In force', key: tier => tier.capacityBytes, draw: text(tier => bytes(tier.capacityBytes)), number: true },
      { name: 'Used', key: tier => tier.usedBytes, draw: text(tier => bytes(tier.usedBytes)), number: true },
      { name: 'Age', key: tier => model.age(tier), draw: text(tier => duration(model.age(tier))), number: true, wide: true },
      { name: 'Law', key: tier => tier.law, draw: text(tier => tier.law), wide: true },
      { name: 'Last hour', key: tier => trends.lowest(tier), draw: cell => drawSparkline(cell, trends.of(cell.tier)), wide: true },
    ];
    this.sorted = { column: this.columns[0], descending: false };
    this.list = [];
    this.rows = [];
    this.shown = false;
    this.pending = false;
    this.scroller = document.getElementById('rows');
    this.filterText = document.getElementById('filter-text');
    this.filterState = document.getElementById('filter-state');
    this.filterLaw = document.getElementById('filter-law');
    this.head();
    document.getElementById('filters').addEventListener('submit', event => event.preventDefault());
    this.filterText.addEventListener('input', () => this.filter());
    this.filterState.addEventListener('change', () => this.filter());
    this.filterLaw.addEventListener('change', () => this.filter());
    trends.addEventListener('change', () => this.drawSoon());
    this.scroller.addEventListener('scroll', () => this.drawSoon());
    window.addEventListener('resize', () => this.drawSoon());
    model.addEventListener('list', () => this.arrange());
    model.addEventListener('change', () => this.drawSoon());
    // Ages grow even without events; rows are sorted again once per second.
    setInterval(() => this.shown && this.arrange(), 1000);
  }

  head() {
    for (const column of this.columns) {
      const th = document.createElement('th');
      th.scope = 'col';
      if (column.number) th.classList.add('number');
      if (column.wide) th.classList.add('wide');
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = column.name;
      button.addEventListener('click', () => {
        const again = this.sorted.column === column;
        this.sorted = { column, descending: again && !this.sorted.descending };
        this.arrange();
      });
      th.append(button);
      document.getElementById('columns').append(th);
      column.th = th;
    }
    for (const id of ['before', 'after']) {
      const cell = document.getElementById(id).insertRow().insertCell();
      cell.colSpan = this.columns.length;
    }
  }

  /** Shows the tiers that the filters in the address select. */
  show(filters) {
    this.shown = true;
    this.filterText.value = filters.get('node') ?? '';
    choose(this.filterState, filters.get('state') ?? '');
    choose(this.filterLaw, filters.get('law') ?? '');
    this.filter();
  }

  /** Applies the filters and keeps them in the address, so that they survive a reload and can be sent to others. */
  filter() {
    const filters = new URLSearchParams();
    const wanted = { node: this.filterText.value.trim(), state: this.filterState.value, law: this.filterLaw.value };
    for (const [name, value] of Object.entries(wanted)) if (value !== '') filters.set(name, value);
    const query = filters.toString();
    const address = query === '' ? '#/' : '#/?' + query;
    if (location.hash !== address && !(location.hash === '' && query === '')) history.replaceState(null, '', address);
    document.getElementById('to-tiers').href = address;
    this.arrange();
  }

  hide() {
    this.shown = false;
  }

  /** Filters and sorts the tiers. */
  arrange() {
    if (!this.shown) return;
    const wanted = this.filterText.value.trim().toLowerCase();
    const state = this.filterState.value;
    const law = this.filterLaw.value;
    const all = [...this.model.tiers.values()];
    offer(this.filterState, all.map(tier => tier.state));
    offer(this.filterLaw, all.map(tier => tier.law));
    const { column, descending } = this.sorted;
    this.list = all
      .filter(tier => tier.node.toLowerCase().includes(wanted) && (state === '' || tier.state === state) && (law === '' || tier.law === law))
      .map(tier => ({ tier, key: column.key(tier) }))
      .sort((a, b) => (descending ? -1 : 1) * compare(a.key, b.key) || compare(a.tier.node, b.tier.node))
      .map(entry => entry.tier);
    for (const each of this.columns) {
      if (each === column) each.th.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      else each.th.removeAttribute('aria-sort');
    }
    const count = `${this.list.length} of ${all.length}`;
    const output = document.getElementById('count');
    if (output.textContent !== count) output.textContent = count;
    this.drawSoon();
  }

  /** Draws at most once per frame. */
  drawSoon() {
    if (this.shown && !this.pending) {
      this.pending = true;
      requestAnimationFrame(() => {
        this.pending = false;
        this.draw();
      });
    }
  }

  draw() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW_PIXELS) - SPARE_ROWS);
    const fit = Math.ceil(this.scroller.clientHeight / ROW_PIXELS) + 2 * SPARE_ROWS;
    const last = Math.min(this.list.length, first + fit);
    this.space('before', first);
    this.space('after', this.list.length - last);
    const body = document.getElementById('visible');
    while (this.rows.length < last - first) this.rows.push(this.row(body));
    while (this.rows.length > Math.max(0, last - first)) this.rows.pop().element.remove();
    this.rows.forEach((row, i) => this.fill(row, this.list[first + i], first + i));
  }

  space(id, rows) {
    const cell = document.getElementById(id).rows[0].cells[0];
    cell.style.height = rows * ROW_PIXELS + 'px';
    document.getElementById(id).hidden = rows === 0;
  }

  row(body) {
    const element = body.insertRow();
    const cells = this.columns.map(column => {
      const td = element.insertCell();
      if (column.number) td.classList.add('number');
      if (column.wide) td.classList.add('wide');
      return { element: td, shown: null };
    });
    return { element, cells };
  }

  fill(row, tier, position) {
    const isStale = tier.state === 'Stale' || !this.model.connected;
    if (row.isStale !== isStale) {
      row.isStale = isStale;
      row.element.className = isStale ? 'stale' : '';
    }
    if (row.position !== position) {
      row.position = position;
      row.element.setAttribute('aria-rowindex', position + 2);
    }
    row.element.dataset.node = tier.node;
    this.columns.forEach((column, i) => {
      row.cells[i].tier = tier;
      column.draw(row.cells[i]);
    });
  }
}

/** The mode, as kubectl shows it. */
function modeOf(tier) {
  return tier.paused && tier.mode !== 'Off' ? 'Paused' : tier.mode;
}

/** Offers these values, and the chosen one even if no tier has it now. */
function offer(select, values) {
  const chosen = select.value;
  const found = [...new Set(values)].filter(value => value !== undefined && value !== chosen);
  const wanted = (chosen === '' ? found : [...found, chosen]).sort();
  const known = [...select.options].slice(1).map(option => option.value);
  if (wanted.join() === known.join()) return;
  select.replaceChildren(new Option('all', ''), ...wanted.map(name => new Option(name, name)));
  select.value = chosen;
}

/** Chooses a value, whether or not it is offered yet. */
function choose(select, value) {
  if (value !== '' && ![...select.options].some(option => option.value === value)) select.append(new Option(value, value));
  select.value = value;
}

/** Compares numbers or texts; unknown values come last. */
function compare(a, b) {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return typeof a === 'number' ? a - b : a.localeCompare(b, 'en', { numeric: true });
}

