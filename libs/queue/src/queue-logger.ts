/** The part of a pino logger that the queues use. */
export interface QueueLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

const EVERY_MS = 10_000;

/** A logger of repeated failures: the same text at most once in ten seconds, so that an outage does not flood the log. */
export function occasionally(log: (message: string) => void, everyMs = EVERY_MS): (message: string) => void {
  const last = new Map<string, number>();
  return (message) => {
    const now = Date.now();
    if (now - (last.get(message) ?? 0) < everyMs) return;
    if (last.size > 100) last.clear();
    last.set(message, now);
    log(message);
  };
}
