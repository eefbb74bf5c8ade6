// All tiers, updated by the controller's event stream. Numbers arrive as rows, up to ten times per second; a
// complete tier arrives when anything else about it changes.

const SILENT_MILLIS = 3500;
const RETRY_MILLIS = 1000;

export class Model extends EventTarget {
  constructor() {
    super();
    /** Tiers in the form of the REST API, by their index in the stream. */
    this.tiers = new Map();
    this.connected = false;
    this.loadedOnce = false;
    this.version = 0;
    this.clockMillis = 0;
    this.clockAt = 0;
    this.source = null;
    this.heardAt = performance.now();
    setInterval(() => this.watch(), 500);
    this.open();
  }

  /** The current time by the controller's clock, to which ages refer. */
  now() {
    return this.clockMillis + performance.now() - this.clockAt;
  }

  /** The age of the last sample; it keeps growing while the connection is lost. */
  age(tier) {
    return tier.sampledMillis === undefined ? undefined : Math.max(0, this.now() - tier.sampledMillis);
  }

  find(node, name) {
    for (const tier of this.tiers.values()) {
      if (tier.node === node && tier.tier === name) return tier;
    }
    return undefined;
  }

  open() {
    this.heardAt = performance.now();
    const source = new EventSource('/api/v1/stream?view=rows');
    this.source = source;
    const on = (name, handler) =>
      source.addEventListener(name, event => {
        if (source === this.source) {
          this.heard();
          handler.call(this, JSON.parse(event.data));
        }
      });
    on('snapshot', this.snapshot);
    on('tier', this.tier);
    on('rows', this.rows);
    on('withdrawn', this.withdrawn);
    source.addEventListener('error', () => source === this.source && this.lost());
  }

  /** Detects a connection that went silent without being closed. */
  watch() {
    if (this.source && performance.now() - this.heardAt > SILENT_MILLIS) this.lost();
  }

  lost() {
    this.source.close();
    this.source = null;
    if (this.connected || !this.loadedOnce) {
      this.connected = false;
      this.dispatchEvent(new Event('connection'));
    }
    setTimeout(() => this.open(), RETRY_MILLIS);
  }

  heard() {
    this.heardAt = performance.now();
  }

  snapshot(event) {
    this.clock(event.nowMillis);
    this.tiers = new Map(event.tiers.map(each => [each.index, each.tier]));
    this.loadedOnce = true;
    this.connected = true;
    this.version++;
    this.dispatchEvent(new Event('connection'));
    this.dispatchEvent(new Event('list'));
  }

  tier(event) {
    const isNew = !this.tiers.has(event.index);
    this.tiers.set(event.index, event.tier);
    this.version++;
    this.dispatchEvent(new Event(isNew ? 'list' : 'change'));
  }

  rows(event) {
    this.clock(event.nowMillis);
    for (const row of event.rows) {
      const tier = this.tiers.get(row[0]);
      if (tier) {
        [
          , tier.desiredBytes, tier.capacityBytes, tier.usedBytes, tier.unevictableBytes,
          tier.memoryUsedBytes, tier.memoryTotalBytes, tier.sampledMillis, tier.limitedBy, tier.unpersistedBytes,
          tier.hitRatio,
        ] = row.map(value => (value === null ? undefined : value));
        tier.utilization = utilization(tier);
      }
    }
    this.version++;
    this.dispatchEvent(new Event('change'));
  }

  withdrawn(event) {
    this.tiers.delete(event.index);
    this.version++;
    this.dispatchEvent(new Event('list'));
  }

  clock(millis) {
    this.clockMillis = millis;
    this.clockAt = performance.now();
  }
}

export function limitOf(tier) {
  return tier.limitedBy ?? tier.lastDecision?.limitedBy;
}

/** Computed exactly as the law does. */
function utilization(tier) {
  if (tier.memoryTotalBytes === undefined) return undefined;
  return tier.memoryTotalBytes === 0 ? 1 : tier.memoryUsedBytes / tier.memoryTotalBytes;
}
