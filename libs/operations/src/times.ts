const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** "2h", "30m", "3d" before now as ISO 8601 in UTC; undefined when the text is no length of time. */
export function instantBefore(text: string, now = Date.now()): string | undefined {
  const [, count, unit] = /^(\d{1,5})([smhdw])$/.exec(text) ?? [];
  if (unit === undefined) return undefined;
  return new Date(now - Number(count) * (SECONDS[unit] as number) * 1_000).toISOString();
}

/** "45 s", "12 min", "3 h", "5 d": how long, in one unit. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}
