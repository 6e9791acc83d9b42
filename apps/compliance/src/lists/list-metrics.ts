import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { ageMs } from './list-age.ts';
import { Lists } from './lists.ts';

/** Measures the operator's lists as they are whenever the metrics are read. */
@Injectable()
export class ListMetrics {
  constructor(lists: Lists, metrics: Metrics) {
    const each = async (set: (list: string, age: number, entries: number, stale: boolean) => void) => {
      const { rows, stale } = await lists.current();
      for (const row of rows) set(row.list, ageMs(row) / 1000, row.entries, stale.includes(row.list));
    };
    metrics.gauge(
      'list_age_seconds',
      'Since the list was last imported (FATF: since its statement)',
      ['list'],
      (gauge) => each((list, age) => gauge.set({ list }, age)),
    );
    metrics.gauge('list_entries', 'Entries of the list that is screened against', ['list'], (gauge) =>
      each((list, _age, entries) => gauge.set({ list }, entries)),
    );
    metrics.gauge('list_stale', '1 when the list is older than it may be', ['list'], (gauge) =>
      each((list, _age, _entries, stale) => gauge.set({ list }, Number(stale))),
    );
    metrics.gauge(
      'lists_missing',
      'Mandatory lists that were never imported: screenings answer 503',
      [],
      async (gauge) => gauge.set((await lists.current()).missing.length),
    );
  }
}
