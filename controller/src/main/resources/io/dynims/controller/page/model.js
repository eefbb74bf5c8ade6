// What the controller streams: all tiers, kept up to date. Numbers come as rows, ten times a second at most;
// everything else about a tier comes whole when it changes.

const SILENT_MILLIS = 3500;
const RETRY_MILLIS = 1000;

export class Model extends EventTarget {
  constructor() {
    super();
    /** Tiers as the REST API shows them, by the index that the stream gives them. */
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

  /** The controller's clock now; ages are by it, not by this machine's clock. */
  now() {
    return this.clockMillis + performance.now() - this.clockAt;
  }

  /** How old the last sample is; while the connection is lost it grows, too. */
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
    const on = (name, take) =>
      source.addEventListener(name, event => {
        if (source === this.source) {
          this.heard();
          take.call(this, JSON.parse(event.data));
        }
      });
    on('snapshot', this.snapshot);
    on('tier', this.tier);
    on('rows', this.rows);
    on('withdrawn', this.withdrawn);
    source.addEventListener('error', () => source === this.source && this.lost());
  }

  /** A connection may also go silent without an end. */
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
          tier.memoryUsedBytes, tier.memoryTotalBytes, tier.sampledMillis, tier.limitedBy,
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

/** As the law has it, to the last digit. */
function utilization(tier) {
  if (tier.memoryTotalBytes === undefined) return undefined;
  return tier.memoryTotalBytes === 0 ? 1 : tier.memoryUsedBytes / tier.memoryTotalBytes;
}
