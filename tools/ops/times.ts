import { instantBefore } from '@constancia/operations';
import { InvalidArgumentError } from 'commander';

/** "2h", "30m", "3d" before now, or a date-time: as ISO 8601 in UTC. For commander's options. */
export function instant(text: string): string {
  const before = instantBefore(text);
  if (before !== undefined) return before;
  const at = /^\d{4}-\d\d-\d\d(T.+)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new InvalidArgumentError('Say how long ago (30m, 2h, 3d, 1w) or when (2026-11-21, 2026-11-21T03:00:00Z).');
  }
  return new Date(at).toISOString();
}

/** A whole number within bounds. For commander's options. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`A whole number from ${least} to ${most}.`);
    }
    return value;
  };
}

/** "45s", "12m", "3h", "5d": how long, in one unit. */
export function span(seconds: number): string {
  const away = Math.abs(seconds);
  const [unit, size] = away < 120 ? ['s', 1] : away < 7_200 ? ['m', 60] : away < 172_800 ? ['h', 3_600] : ['d', 86_400];
  return `${Math.round(away / (size as number))}${unit}`;
}

/** How long ago, or "in" how long; '' for no time. */
export function age(iso: string | null | undefined, now = Date.now()): string {
  if (!iso) return '';
  const seconds = (now - Date.parse(iso)) / 1_000;
  return seconds < -0.5 ? `+${span(seconds)}` : span(seconds);
}

/** In the reader's zone and in UTC: "2026-11-21 17:03:12 -05:00 (22:03:12 UTC)". */
export function clock(iso: string | null | undefined): string {
  if (!iso) return '-';
  const at = new Date(iso);
  const utc = at.getTimezoneOffset() === 0 ? '' : ` (${at.toISOString().slice(11, 19)} UTC)`;
  return `${stamp(iso)}${utc}`;
}

/** In the reader's zone: "2026-11-21 17:03:12 -05:00". */
export function stamp(iso: string): string {
  const at = new Date(iso);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return `${local.slice(0, 19).replace('T', ' ')} ${zoneOf(iso)}`;
}

/** The time of the day with milliseconds, in the reader's zone. */
export function timeOfDay(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(11, 23);
}

/** The reader's zone at a time, as an offset: "-05:00". */
export function zoneOf(iso: string): string {
  const minutes = -new Date(iso).getTimezoneOffset();
  return minutes === 0 ? 'UTC' : offset(minutes);
}

function offset(minutes: number): string {
  const sign = minutes < 0 ? '-' : '+';
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${sign}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
}
