import type { Metrics } from '@constancia/telemetry';

/**
 * Tells how long the oldest mail of a kind has been waiting for the mail server to take it (`mail_oldest_unsent_seconds`).
 *
 * @param oldestSeconds 0 when none waits
 */
export function mailAge(metrics: Metrics, kind: string, oldestSeconds: () => Promise<number>): void {
  const help = 'Age of the oldest mail that the mail server has not taken, by what it is for';
  metrics.gauge('mail_oldest_unsent_seconds', help, ['kind'], async (gauge) =>
    gauge.set({ kind }, await oldestSeconds()),
  );
}
