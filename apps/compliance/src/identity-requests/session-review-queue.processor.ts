import { type HintJob, Processor, WorkerHost } from '@constancia/queue';
import { withSpan } from '@constancia/telemetry';
import { SessionReviews } from './session-reviews.ts';

/** Decisions of people who review sessions in the identity module. */
@Processor('session-review', { concurrency: 4 })
export class SessionReviewQueueProcessor extends WorkerHost {
  constructor(private readonly reviews: SessionReviews) {
    super();
  }

  override process({ data }: HintJob<'session-review'>): Promise<void> {
    const parent = data.traceparent ?? null;
    return withSpan('session review', {}, () => this.reviews.handle(data), { parent });
  }
}
