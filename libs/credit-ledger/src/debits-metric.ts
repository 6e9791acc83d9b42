import type { Metrics } from '@constancia/telemetry';

/** What counts debits once they are committed, captures of holds among them: `ledger_debits_total`, by the module that charges. */
export function debitsCounter(metrics: Metrics): (module: string) => void {
  const debits = metrics.counter('ledger_debits_total', 'Debits that were committed, captures of holds included', [
    'module',
  ]);
  return (module) => debits.inc({ module });
}
