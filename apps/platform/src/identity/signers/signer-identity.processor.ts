import type { SignerIdentityRequest } from '@constancia/contracts';
import { type HintJob, Processor, Queues, WorkerHost } from '@constancia/queue';
import { withSpan } from '@constancia/telemetry';
import { SignerChecks } from './signer-checks.ts';

/** What the signing module asks over the queue. Each message is answered; an answer that is lost is asked for again. */
@Processor('signer-identity', { concurrency: 4 })
export class SignerIdentityProcessor extends WorkerHost {
  constructor(
    private readonly checks: SignerChecks,
    private readonly queues: Queues,
  ) {
    super();
  }

  override async process({ data: { id, tenant_id, sealed } }: HintJob<'signer-identity'>): Promise<void> {
    const request = this.queues.open(sealed) as SignerIdentityRequest;
    const result = await withSpan('signer identity', {}, () => this.checks.answer(tenant_id, id, request));
    this.queues.hint('signer-identity-result', { v: 1, id, tenant_id, sealed: this.queues.seal(result) }, id);
  }
}
