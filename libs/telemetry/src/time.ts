let lastMs = 0;
let lastText = '';

/** Now, as ISO 8601 UTC with milliseconds; made once per millisecond. */
export function isoNow(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}
