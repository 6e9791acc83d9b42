import type { ScreeningResult } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { currentTraceparent, Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import type { ReviewCase } from '../case-records/review-case.entity.ts';

/** How a case stands, as reported to the identity module. */
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
 * Announces resolved cases to the identity module whose requests opened them or were attached to them. A notice may be lost: the
 * identity module asks for the state of the cases that it waits for.
 */
@Injectable()
export class CaseNotices {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
    private readonly logger: Logger,
  ) {}

  /** What was decided here; a case that is not resolved is not announced. Never throws and never makes the caller wait. */
  announce(found: ReviewCase): void {
    if (found.status !== 'resolved') return;
    this.send(found).catch((error: unknown) =>
      this.logger.warn(
        { error, case_id: typeId('cas', found.id) },
        'a resolved case could not be announced to the identity module',
      ),
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
