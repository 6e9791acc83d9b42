import { type HintJob, Processor, WorkerHost } from '@constancia/queue';
import { withSpan } from '@constancia/telemetry';
import { IdentityRequests } from './identity-requests.ts';

/** Requests of the identity module: screen a subject, or read or change what compliance keeps for it. */
@Processor('screening-request', { concurrency: 4 })
export class ScreeningRequestQueueProcessor extends WorkerHost {
  constructor(private readonly requests: IdentityRequests) {
    super();
  }

  override process({ data }: HintJob<'screening-request'>): Promise<void> {
    const parent = data.traceparent ?? null;
    return withSpan('screening request', {}, () => this.requests.handle(data), { parent });
  }
}
