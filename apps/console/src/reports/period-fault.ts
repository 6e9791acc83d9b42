/** Days of a report at most: a leap year. */
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

/** What is wrong with a period of whole days (YYYY-MM-DD), and in which field; null when nothing is. */
export function periodFault(
  { from, to }: { from: string; to: string },
  today: string,
): { field: 'from' | 'to'; fault: 'future' | 'backwards' | 'long' } | null {
  if (from > today) return { field: 'from', fault: 'future' };
  if (to < from) return { field: 'to', fault: 'backwards' };
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days > MOST_DAYS ? { field: 'to', fault: 'long' } : null;
}
