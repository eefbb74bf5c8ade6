// The decisions for one tier of the last minutes or the last hour, kept up to date.

export const SPAN_MILLIS = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000 };
export const LISTED_DECISIONS = 100;

const BUCKET_MILLIS = 30_000;
const MAX_DECISIONS = 4000;
const NEXT_DECISIONS = 50;

export class Timeline {
  constructor(node, tier, span) {
    this.node = node;
    this.tier = tier;
    this.span = span;
    /** Oldest first. */
    this.decisions = [];
  }

  /** Fetches new decisions; after a gap, such as a lost connection, all decisions of the time shown. */
  async load() {
    const last = this.decisions.length === 0 ? this.span : NEXT_DECISIONS;
    let found = await history(this, last);
    // If there are no recent decisions, show the last ones.
    if (found.length === 0 && last === this.span) found = await history(this, LISTED_DECISIONS);
    this.merge(found.reverse(), last);
  }

  /** The newest decision at this time; undefined before the first. */
  at(sampledMillis) {
    let low = 0;
    let high = this.decisions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.decisions[middle].sampledMillis <= sampledMillis) low = middle + 1;
      else high = middle;
    }
    return this.decisions[low - 1];
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
