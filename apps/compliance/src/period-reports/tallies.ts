/** Counts by name. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(name: string, count: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The counts of these names, 0 included; left out: all counts, the highest first. */
  named(names?: readonly string[]): Record<string, number> {
    if (names) return Object.fromEntries(names.map((name) => [name, this.of(name)]));
    const entries = [...this.counts].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  }
}

/** Median, ninth decile and longest of some durations. */
export interface Spread {
  median_hours: number;
  p90_hours: number;
  longest_hours: number;
}

/** `minutes`: how many durations there are by their length in whole minutes. Null without any. */
export function spreadOf(minutes: ReadonlyMap<number, number>): Spread | null {
  const sorted = [...minutes].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const longest = sorted.at(-1);
  if (longest === undefined) return null;
  const at = (share: number): number => {
    let rest = Math.max(1, Math.ceil(total * share));
    const found = sorted.find(([, count]) => (rest -= count) <= 0);
    return hours((found ?? longest)[0]);
  };
  return { median_hours: at(0.5), p90_hours: at(0.9), longest_hours: hours(longest[0]) };
}

const hours = (minutes: number): number => Math.round((minutes / 60) * 100) / 100;
