import type { SignerIdentityResult } from '@constancia/contracts';
import { type HintJob, Processor, Queues, WorkerHost } from '@constancia/queue';
import { IdentityResults } from './identity-results.ts';

/** What the identity module answers over the queue. */
@Processor('signer-identity-result', { concurrency: 4 })
export class IdentityResultProcessor extends WorkerHost {
  constructor(
    private readonly results: IdentityResults,
    private readonly queues: Queues,
  ) {
    super();
  }

  override process({ data: { id, tenant_id, sealed } }: HintJob<'signer-identity-result'>): Promise<void> {
    return this.results.record(tenant_id, id, this.queues.open(sealed) as SignerIdentityResult);
  }
}
