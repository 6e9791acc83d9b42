import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { EvidenceTable } from './evidence-table.ts';

/** The metrics of long-term evidence. */
@Injectable()
export class EvidenceMetrics {
  private readonly runs;

  constructor(metrics: Metrics, table: EvidenceTable) {
    this.runs = metrics.counter('evidence_runs_total', 'Runs that extend the evidence of a document, by result', [
      'result',
    ]);
    const oldest = metrics.gauge('evidence_oldest_seconds', 'For how long the oldest due evidence has been due', []);
    metrics.gauge('evidence_backlog', 'Documents whose evidence is due', [], async (gauge) => {
      const { waiting, oldestSeconds } = await table.backlog();
      gauge.set(waiting);
      oldest.set(oldestSeconds);
    });
  }

  ended(result: 'extended' | 'deferred' | 'lost'): void {
    this.runs.inc({ result });
  }
}
