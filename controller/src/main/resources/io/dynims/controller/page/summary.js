// What DynIMS does for the fleet, in a few figures, and the problems with its policies.

import { bytes, duration, percent, plural } from './format.js';
import { facts } from './fleet.js';

const INTERVAL_MILLIS = 5000;

const STATIC =
  'For how long, in the last hour and summed over nodes, more memory would have been in use than the node may use if each tier ' +
  'had kept its maximum: memory in use, plus what the capacity in force is below the maximum, exceeds M.';

const MEANINGS = [
  'The sum of the capacities in force, as the tiers last told them.',
  'The memory that the tiers’ data occupies.',
  'The share of the block reads of the last minute that a tier served. Every tier counts the same, as tiers do not tell how many reads they had.',
  STATIC,
  'For how long, in the last hour and summed over nodes, more memory was in use than the node may use.',
];

export class Summary {
  constructor() {
    this.load();
  }

  async load() {
    try {
      if (!document.hidden) {
        const response = await fetch('/api/v1/summary');
        if (response.ok) this.draw(await response.json());
      }
    } catch {
      // The page says elsewhere that the controller does not answer.
    }
    setTimeout(() => this.load(), INTERVAL_MILLIS);
  }

  draw(summary) {
    const { observedMillis, overMillis, staticOverMillis } = summary.lastHour;
    facts('summary', [
      ['Lent to tiers now', bytes(summary.capacityBytes)],
      ['Used by their data', bytes(summary.usedBytes)],
      ['Reads served', summary.hitRatioTiers === 0 ? '–' : `${percent(summary.meanHitRatio)}, mean of ${plural(summary.hitRatioTiers, 'tier')}`],
      ['Out of memory with static tiers', ofTime(staticOverMillis, observedMillis)],
      ['Out of memory with DynIMS', ofTime(overMillis, observedMillis)],
    ]);
    [...document.getElementById('summary').children].forEach((each, i) => (each.title = MEANINGS[i]));
    problems(summary);
  }
}

/** A part of the time that nodes were observed in the last hour. */
function ofTime(millis, observedMillis) {
  if (observedMillis === 0) return '–';
  return `${millis === 0 ? '0s' : duration(millis)} of ${duration(observedMillis)} node time`;
}

/** Shows refused policy documents and problems with policies in effect. */
function problems({ errors, errorCount, warnings, warningCount }) {
  const lines = [
    ...errors.map(({ file, document: position, field, reason }) => `Refused: ${[file, position && `document ${position}`, field].filter(part => part).join(', ')}: ${reason}`),
    ...warnings.map(({ node, tier, reason }) => `Warning: ${node}, ${tier}: ${reason}`),
  ];
  const more = errorCount + warningCount - lines.length;
  if (more > 0) lines.push(`and ${more} more; /api/v1/policies lists all.`);
  const notice = document.getElementById('policy-notice');
  const content = lines.join('\n');
  if (notice.dataset.content === content) return;
  notice.dataset.content = content;
  notice.hidden = lines.length === 0;
  document.getElementById('policy-counts').textContent =
    [errorCount && `${plural(errorCount, 'policy error')}; the last valid version stays in effect`, warningCount && plural(warningCount, 'policy warning')]
      .filter(part => part)
      .join(', ') + '.';
  document.getElementById('policy-problems').replaceChildren(
    ...lines.map(line => {
      const item = document.createElement('li');
      item.textContent = line;
      return item;
    }),
  );
}
