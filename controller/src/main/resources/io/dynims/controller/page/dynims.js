// Starts the page. The part of the address after '#' selects the view.

import { Model } from './model.js';
import { FleetView } from './fleet.js';
import { NodeView } from './node.js';
import { Summary } from './summary.js';
import { TiersView } from './tiers.js';
import { Trends } from './trends.js';
import { duration } from './format.js';

const model = new Model();
const trends = new Trends();
const views = { tiers: new TiersView(model, trends), fleet: new FleetView(model, trends), node: new NodeView(model) };
const byId = id => document.getElementById(id);

/** #/ shows all tiers, #/?node=a&state=Stale&law=Forecast some, #/fleet their totals, #/node/NODE/TIER one of them. */
function route() {
  const [path, query] = location.hash.split('?');
  const [, view, ...names] = path.split('/').map(decodeURIComponent);
  if (view === 'node' && names.length === 2) return { view, names, title: names[0] };
  if (view === 'fleet') return { view, names: [], title: 'Fleet' };
  return { view: 'tiers', names: [new URLSearchParams(query)], title: 'Tiers' };
}

function show() {
  const { view, names, title } = route();
  document.title = title + ' · DynIMS';
  for (const [name, each] of Object.entries(views)) {
    byId(name + '-view').hidden = name !== view;
    if (name !== view) each.hide();
  }
  for (const name of ['tiers', 'fleet']) {
    if (name === view) byId('to-' + name).setAttribute('aria-current', 'page');
    else byId('to-' + name).removeAttribute('aria-current');
  }
  views[view].show(...names);
}

function connection() {
  const text = byId('connection');
  text.classList.toggle('lost', !model.connected);
  text.textContent = model.connected ? 'Live' : model.loadedOnce ? 'Connection lost' : 'Connecting';
  notice();
}

/** Warns if the page does not show the current state. */
function notice() {
  const text = byId('notice');
  let message = '';
  if (!model.connected) {
    message = model.loadedOnce
      ? `The controller has not answered for ${duration(performance.now() - model.heardAt)}. The page shows the last known state; retrying.`
      : 'The controller has not answered yet; retrying.';
  } else if (model.tiers.size === 0) {
    message = 'No policy names a node yet.';
  } else {
    const stale = [...model.tiers.values()].filter(tier => tier.state === 'Stale').length;
    if (stale > 0) message = `Metrics of ${stale} of ${model.tiers.size} tiers are stale; their numbers are out of date.`;
  }
  // Changed only if the notice changes in more than its times, since screen readers announce every change.
  const kind = message.replace(/[0-9.]+(ms|s|m|h|d)\b/g, '');
  if (text.dataset.kind !== kind || !model.connected) text.textContent = message;
  text.dataset.kind = kind;
  text.hidden = message === '';
}

window.addEventListener('hashchange', () => {
  show();
  byId('content').focus();
});
model.addEventListener('connection', connection);
model.addEventListener('list', notice);
setInterval(notice, 1000);
new Summary();
connection();
show();
