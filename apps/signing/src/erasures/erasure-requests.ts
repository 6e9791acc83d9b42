import type { ErasureRequest } from '@constancia/contracts';
import { type HintJob, Processor, Queues, WorkerHost } from '@constancia/queue';
import { Erasure } from './erasure.ts';
import { moduleErasure } from './erasure-receipts.ts';

/**
 * Erasures that the identity module coordinates. A request is carried out once and answered as often as it comes; what throws, or is still
 * pending, is sent again by who asked.
 */
@Processor('signing-erasure', { concurrency: 2 })
export class ErasureRequests extends WorkerHost {
  constructor(
    private readonly erasure: Erasure,
    private readonly queues: Queues,
  ) {
    super();
  }

  async process({ data: { id, tenant_id, sealed } }: HintJob<'signing-erasure'>): Promise<void> {
    const { subject_refs: refs, email, actor } = checked(this.queues.open(sealed));
    const receipt = await this.erasure.erase(tenant_id, { id, refs, email, actor });
    const answer = { v: 1, id, tenant_id, sealed: this.queues.seal(moduleErasure(receipt)) } as const;
    this.queues.hint('erasure-result', answer, `signing-${id}`);
  }
}

/** What was sealed by another process is trusted, but not to be of this release. */
function checked(opened: unknown): Pick<ErasureRequest, 'subject_refs' | 'email' | 'actor'> {
  const { subject_refs, email = null, actor } = opened as Partial<ErasureRequest>;
  const isList = Array.isArray(subject_refs) && subject_refs.every((ref) => typeof ref === 'string' && ref !== '');
  if (!isList || typeof actor !== 'string' || (email !== null && typeof email !== 'string')) {
    throw new Error('an erasure request has references, an actor, and an address or null');
  }
  return { subject_refs, email, actor };
}
