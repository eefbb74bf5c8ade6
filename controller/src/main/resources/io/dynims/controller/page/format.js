// Formats values as kubectl dynims does.

const UNITS = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

export const NOTHING = '–';

/** Bytes as Kubernetes writes them, such as 60.0Gi. */
export function bytes(count, signed = false) {
  if (count === undefined || count === null) return NOTHING;
  const plus = signed && count > 0 ? '+' : '';
  if (Math.abs(count) < 1024) return plus + Math.round(count);
  let value = count;
  let unit = '';
  for (unit of UNITS) {
    value /= 1024;
    // A value that would round up to 1024.0 is shown in the next unit.
    if (Math.abs(value) < 1023.95) break;
  }
  return plus + value.toFixed(1) + unit;
}

export function percent(ratio) {
  return ratio === undefined || ratio === null ? NOTHING : (ratio * 100).toFixed(1) + '%';
}

/** Such as 40ms, 5.1s, 3m, 2h, 4d. */
export function duration(millis) {
  if (millis === undefined || millis === null) return NOTHING;
  if (Math.abs(millis) < 1000) return Math.round(millis) + 'ms';
  const seconds = millis / 1000;
  if (Math.abs(seconds) < 120) return seconds.toFixed(1) + 's';
  if (Math.abs(seconds) < 7200) return Math.trunc(seconds / 60) + 'm';
  if (Math.abs(seconds) < 172800) return Math.trunc(seconds / 3600) + 'h';
  return Math.trunc(seconds / 86400) + 'd';
}

/** The time of day with tenths of a second. */
export function time(millis) {
  const date = new Date(millis);
  const two = n => String(n).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${Math.trunc(date.getMilliseconds() / 100)}`;
}

/** Date, time of day and zone, such as 2026-11-24 08:11:17.1 UTC+01:00. */
export function moment(millis) {
  const date = new Date(millis);
  const two = n => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time(millis)} ${zone(date)}`;
}

/** The browser's zone at a date, such as UTC+01:00. */
export function zone(date = new Date()) {
  const minutes = -date.getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const two = n => String(n).padStart(2, '0');
  const away = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.trunc(away / 60))}:${two(away % 60)}`;
}

export function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
