import type { ScreeningResult } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import { currentTraceparent, type Logger } from '@constancia/telemetry';
import type { ReviewCase } from './review-case.ts';

/** How a case stands, as the identity module is told. */
export function caseResult(found: Pick<ReviewCase, 'id' | 'status' | 'decision'>): ScreeningResult {
  const cleared = found.decision === 'approve' || found.decision === 'false_positive';
  const decision = found.status !== 'resolved' ? null : cleared ? 'approve' : 'reject';
  return { outcome: 'case', case_id: typeId('cas', found.id), decision };
}

/** The trace that a message goes on with; nothing without tracing. */
export function currentTrace(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/**
 * Tells the identity module of resolved cases that its requests opened or were attached to. A notice may be lost: the identity
 * module asks for the state of the cases that it waits for.
 */
export class CaseNotices {
  constructor(
    private readonly database: Database,
    private readonly queues: Pick<Queues, 'hint' | 'seal'>,
    private readonly logger: Logger,
  ) {}

  /** Never throws and never makes the caller wait. */
  tell(found: ReviewCase): void {
    this.send(found).catch((error: unknown) =>
      this.logger.warn({ error, case_id: typeId('cas', found.id) }, 'the identity module could not be told of a case'),
    );
  }

  private async send(found: ReviewCase): Promise<void> {
    const { tenant_id, subject_ref, id } = found;
    const requests = await this.database.tenant(tenant_id, (tx) =>
      tx.query<{ request_id: string }>(
        `select request_id from compliance.screening
          where tenant_id = $1 and subject_ref = $2 and case_id = $3 and trigger = 'identity' and request_id is not null`,
        [tenant_id, subject_ref, id],
      ),
    );
    const sealed = this.queues.seal(caseResult(found));
    for (const { request_id } of requests) {
      const notice = { v: 1, request_id, tenant_id, sealed, ...currentTrace() } as const;
      this.queues.hint('screening-result', notice, `case-${request_id}`);
    }
  }
}
