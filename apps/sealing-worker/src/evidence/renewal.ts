const DAY_MS = 86_400_000;

/**
 * When a document is time-stamped again: some days before the authority's certificate ends, but at the earliest when half of what is left is
 * over, so that a certificate of a short life is not renewed at once.
 */
export function renewalTime(endsAt: Date, marginDays: number, now = new Date()): Date {
  const half = now.getTime() + (endsAt.getTime() - now.getTime()) / 2;
  return new Date(Math.max(endsAt.getTime() - marginDays * DAY_MS, half));
}
