import { Idempotency, type IdempotentRequest, type OnceResult } from '@constancia/idempotency';
import { typeId } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { DependencyUnavailable } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { MOST_ATTACHMENTS } from '../case-records/attachment-types.ts';
import { CaseAttachmentRow } from '../case-records/case-attachment.entity.ts';
import type { NewCaseEvent } from '../case-records/case-timeline.ts';
import { type CaseRequest, Cases, type LockedCase, permitted, refusal } from '../cases/cases.ts';
import { AttachmentChecks } from './attachment-checks.ts';
import { CaseAttachmentView } from './attachment-view.ts';
import { insertAttachment, type OpenAttachment, type SentFile } from './stored-attachments.ts';

/** Attaches files to cases. */
@Injectable()
export class CaseAttachments {
  constructor(
    private readonly database: Database,
    private readonly cases: Cases,
    private readonly idempotency: Idempotency,
    private readonly checks: AttachmentChecks,
  ) {}

  /**
   * Looks at the file once it is known that the case takes one, then keeps it and its event of the timeline together. Throws what
   * Cases.change and AttachmentChecks throw, and StateConflict for one more than a case holds.
   */
  async attach(request: CaseRequest, file: SentFile, once: IdempotentRequest | undefined): Promise<OnceResult> {
    const { tenantId } = request;
    const earlier = once && (await this.database.tenant(tenantId, (tx) => this.idempotency.find(tx, tenantId, once)));
    if (earlier) return { answer: earlier, replayed: true };
    permitted(await this.cases.find(tenantId, request.caseId), request);
    await this.checks.pass(file.bytes, file.type);
    let result: OnceResult | undefined;
    await this.cases.change(request, async (found, { to }, tx) => {
      const key = sealingKey(found);
      const events: NewCaseEvent[] = [];
      const work = async (): Promise<CaseAttachmentView> => {
        await refuseFull(tx, found);
        const of = { tenant_id: tenantId, case_id: found.id, attached_by: request.actor };
        const attachment = await insertAttachment(tx, key, of, file);
        const data = eventData(attachment);
        events.push({ type: 'attached', actor: request.actor, from: found.status, to, data });
        return CaseAttachmentView.of(attachment);
      };
      result = await this.idempotency.once(tx, tenantId, once, { status: 201, owner: key.id, work });
      return events.length === 0 ? null : { columns: {}, events };
    });
    return result as OnceResult; // change has called what sets it, or thrown
  }
}

/** The name is sealed with the event. */
function eventData({ id, name, media_type, size_bytes, sha256 }: OpenAttachment): Record<string, unknown> {
  return { attachment_id: typeId('caf', id), name, media_type, size_bytes, sha256: sha256.toString('hex') };
}

/** While the release before still runs, cases are not sealed: a file never waits in the clear. */
function sealingKey({ sealing }: LockedCase): NonNullable<LockedCase['sealing']>['key'] {
  if (sealing) return sealing.key;
  const detail = 'The service is being upgraded, and takes no files until that is done: send it again later.';
  throw new DependencyUnavailable(detail, {}, { 'Retry-After': '60' });
}

/** The case's row is locked: of two who attach at the same time, the second counts what the first attached. */
async function refuseFull(tx: Tx, found: LockedCase): Promise<void> {
  const count = await tx.manager.countBy(CaseAttachmentRow, { tenant_id: found.tenant_id, case_id: found.id });
  if (count < MOST_ATTACHMENTS) return;
  throw refusal(found, `The case has ${MOST_ATTACHMENTS} attachments, as many as a case holds.`);
}
