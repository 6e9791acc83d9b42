import type { ScreeningResult } from '@constancia/contracts';
import { type HintJob, Processor, Queues, WorkerHost } from '@constancia/queue';
import { withSpan } from '@constancia/telemetry';
import { ComplianceResults } from './compliance-results.ts';

/** What the compliance module answers over the queue. */
@Processor('screening-result', { concurrency: 4 })
export class ScreeningResultProcessor extends WorkerHost {
  constructor(
    private readonly results: ComplianceResults,
    private readonly queues: Queues,
  ) {
    super();
  }

  override process({ data }: HintJob<'screening-result'>): Promise<void> {
    const { request_id, tenant_id, sealed, traceparent: parent = null } = data;
    const result = this.queues.open(sealed) as ScreeningResult;
    const record = () => this.results.record(tenant_id, request_id, result);
    return withSpan('screening result', { result: result.outcome }, record, { parent });
  }
}
