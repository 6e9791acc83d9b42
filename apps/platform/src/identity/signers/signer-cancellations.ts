import { CreditLedger } from '@constancia/credit-ledger';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { CaptureTokens } from '../hosted/capture-tokens.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { endPendingRequests } from '../presentations/session-requests.ts';
import { moveSession } from '../sessions/move-session.ts';
import { lockSession } from '../sessions/session-changes.ts';
import { Subjects } from '../subjects/subjects.ts';
import { lockCheck, signerCheckOf, SIGNING } from './signer-check-rows.ts';
import { SignerCheck } from './signer-check.entity.ts';

/** Ends the sessions of cancelled checks: replaced ones, and those of envelopes that ended. */
@Injectable()
export class SignerCancellations {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly captures: CaptureTokens,
    private readonly ledger: CreditLedger,
  ) {}

  /** Idempotent. A check that has no session yet is stored without one, so that a later message cannot open it. */
  async cancel(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      await lockCheck(tx, tenantId, id);
      const check = await signerCheckOf(tx, tenantId, id);
      if (check === null) {
        const never = { id, tenant_id: tenantId, session_id: null, capture_sealed: null, created_at: new Date() };
        await tx.manager.insert(SignerCheck, never);
      } else if (check.session_id !== null) {
        await this.endSession(tx, { tenantId, id, sessionId: check.session_id });
      }
    });
  }

  /** Work that is under way is dropped once it is done, and what it holds released (ApplyOutcome). */
  private async endSession(
    tx: Tx,
    { tenantId, id, sessionId }: { tenantId: string; id: string; sessionId: string },
  ): Promise<void> {
    const session = await lockSession(tx, tenantId, sessionId);
    if (session.status !== 'in_progress') return;
    await moveSession(tx, this.subjects, {
      session,
      subject: await this.subjects.find(tx, tenantId, session.subject_id),
      action: 'cancel',
      actor: SIGNING,
      by: undefined,
      reason: 'cancelled',
      what: { type: 'cancelled', data: { signer_check: id } },
      columns: {},
    });
    await this.captures.end(tx, tenantId, sessionId);
    await endPendingRequests(tx, this.ledger, session); // last: the balance row stays locked only until the commit
  }
}
