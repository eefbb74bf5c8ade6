// Starts the page: which view is shown is said by the address after '#'.

import { Model } from './model.js';
import { FleetView } from './fleet.js';
import { NodeView } from './node.js';
import { TiersView } from './tiers.js';
import { duration } from './format.js';

const model = new Model();
const views = { tiers: new TiersView(model), fleet: new FleetView(model), node: new NodeView(model) };
const byId = id => document.getElementById(id);

/** #/ lists all tiers, #/fleet sums them up, #/node/NODE/TIER is one of them. */
function route() {
  const [, view, ...names] = location.hash.split('/').map(decodeURIComponent);
  if (view === 'node' && names.length === 2) return { view, names, title: names[0] };
  if (view === 'fleet') return { view, names: [], title: 'Fleet' };
  return { view: 'tiers', names: [], title: 'Tiers' };
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

/** Says plainly when what is shown is not how it is now. */
function notice() {
  const text = byId('notice');
  let told = '';
  if (!model.connected) {
    told = model.loadedOnce
      ? `The controller has not answered for ${duration(performance.now() - model.heardAt)}. What is shown is what it said last; trying again.`
      : 'The controller does not answer yet; trying again.';
  } else if (model.tiers.size === 0) {
    told = 'No MemoryTier names a node yet.';
  } else {
    const stale = [...model.tiers.values()].filter(tier => tier.state === 'Stale').length;
    if (stale > 0) told = `Metrics of ${stale} of ${model.tiers.size} tiers are stale: their numbers are old.`;
  }
  // Told to screen readers only when it becomes another notice, not with every second.
  const kind = told.replace(/[0-9.]+(ms|s|m|h|d)\b/g, '');
  if (text.dataset.kind !== kind || !model.connected) text.textContent = told;
  text.dataset.kind = kind;
  text.hidden = told === '';
}

window.addEventListener('hashchange', () => {
  show();
  byId('content').focus();
});
model.addEventListener('connection', connection);
model.addEventListener('list', notice);
setInterval(notice, 1000);
connection();
show();
