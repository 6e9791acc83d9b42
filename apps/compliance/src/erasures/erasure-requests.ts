import type { ErasureRequest } from '@constancia/contracts';
import { type HintJob, Processor, Queues, WorkerHost } from '@constancia/queue';
import { Erasure } from './erasure.ts';
import { moduleErasure } from './erasure-receipts.ts';

/**
 * Erasures that the identity module coordinates. A request is carried out once and answered as often as it comes; what throws is sent
 * again by who asked.
 */
@Processor('compliance-erasure', { concurrency: 2 })
export class ErasureRequests extends WorkerHost {
  constructor(
    private readonly erasure: Erasure,
    private readonly queues: Queues,
  ) {
    super();
  }

  override async process({ data: { id, tenant_id, sealed } }: HintJob<'compliance-erasure'>): Promise<void> {
    const request = checked(this.queues.open(sealed));
    const receipt = await this.erasure.erase(tenant_id, {
      id,
      refs: request.subject_refs,
      actor: request.actor,
      relationshipEndedAt: new Date(request.relationship_ended_at),
    });
    const answer = { v: 1, id, tenant_id, sealed: this.queues.seal(moduleErasure(receipt)) } as const;
    this.queues.hint('erasure-result', answer, `compliance-${id}`);
  }
}

/** What was sealed by another process is trusted, but not to be of this release. */
function checked(opened: unknown): ErasureRequest {
  const request = opened as Partial<ErasureRequest>;
  const { subject_refs: refs, actor, relationship_ended_at: ended } = request;
  const isList = Array.isArray(refs) && refs.every((ref) => typeof ref === 'string' && ref !== '');
  if (!isList || typeof actor !== 'string' || Number.isNaN(Date.parse(ended ?? ''))) {
    throw new Error('an erasure request has references, an actor and the time when the relationship ended');
  }
  return request as ErasureRequest;
}
