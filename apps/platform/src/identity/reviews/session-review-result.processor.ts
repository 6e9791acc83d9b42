import type { SessionReviewResult } from '@constancia/contracts';
import { type HintJob, Processor, Queues, WorkerHost } from '@constancia/queue';
import { withSpan } from '@constancia/telemetry';
import { SessionReviews } from './session-reviews.ts';

/** What the compliance module answers about reviews of sessions. */
@Processor('session-review-result', { concurrency: 4 })
export class SessionReviewResultProcessor extends WorkerHost {
  constructor(
    private readonly reviews: SessionReviews,
    private readonly queues: Queues,
  ) {
    super();
  }

  override process({ data }: HintJob<'session-review-result'>): Promise<void> {
    const { id, tenant_id, sealed, traceparent: parent = null } = data;
    const result = this.queues.open(sealed) as SessionReviewResult;
    const record = () => this.reviews.recordResult(tenant_id, id, result);
    return withSpan('session review result', { result: result.outcome }, record, { parent });
  }
}
