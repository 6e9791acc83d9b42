import { PRICE, type SignerIdentityRequest, type SignerIdentityResult } from '@constancia/contracts';
import { LedgerReader } from '@constancia/credit-ledger';
import { SecretBox } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { tenantRow } from '../../tenants/tenant-row.ts';
import { Flow } from '../flows/flow.entity.ts';
import { publishedFlow } from '../flows/flows.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { presentationRow } from '../presentations/presentation-rows.ts';
import { SessionOpening } from '../sessions/session-opening.ts';
import { currentStep, type FlowSession } from '../sessions/session-row.ts';
import { Sessions } from '../sessions/sessions.ts';
import { runsOf } from '../sessions/step-run.ts';
import { Subjects, subjectRow } from '../subjects/subjects.ts';
import { SignerCancellations } from './signer-cancellations.ts';
import { lockCheck, signerCheckOf, SIGNING } from './signer-check-rows.ts';
import { SignerCheck } from './signer-check.entity.ts';
import { refusalOf } from './suitable-flow.ts';
import { verifiedSigner } from './verified-signer.ts';

type Wanted = NonNullable<SignerIdentityRequest['open']>;

/** Ends of a session that say nothing about the person. */
const ENDS: Readonly<Record<string, 'expired' | 'cancelled'>> = { expired: 'expired', cancelled: 'cancelled' };

/** The address of a check's page is bound to the check: what is copied into another row does not open there. */
export const signerCaptureContext = (id: string): string => `signer_check:${id}`;

/**
 * Verifies the identity of signers for the signing module. A check has one session, however often it is asked for: by duplicate
 * messages at the same time, after a lost answer, and after a process that died at any point.
 */
@Injectable()
export class SignerChecks {
  constructor(
    private readonly platform: Database,
    private readonly database: IdentityDatabase,
    private readonly ledger: LedgerReader,
    private readonly secrets: SecretBox,
    private readonly opening: SessionOpening,
    private readonly sessions: Sessions,
    private readonly subjects: Subjects,
    private readonly cancellations: SignerCancellations,
  ) {}

  /** How a check stands, after opening its session when the request says what to open and there is none, or ending it. */
  async answer(tenantId: string, id: string, { open, cancel }: SignerIdentityRequest): Promise<SignerIdentityResult> {
    if (cancel) {
      await this.cancellations.cancel(tenantId, id);
      return { outcome: 'cancelled' };
    }
    const check = await this.database.tenant(tenantId, (tx) => signerCheckOf(tx, tenantId, id));
    if (check) return this.resultOf(open === null ? await this.withoutAddress(check) : check);
    return open === null ? { outcome: 'unknown' } : this.opened(tenantId, id, open);
  }

  private async opened(tenantId: string, id: string, wanted: Wanted): Promise<SignerIdentityResult> {
    if (await this.lacksCredits(tenantId)) return { outcome: 'refused', reason: 'insufficient_credits' };
    const tenant = await this.platform.tenant(tenantId, (tx) => tenantRow(tx, tenantId));
    const opened = await this.database.tenant(tenantId, async (tx): Promise<SignerCheck | SignerIdentityResult> => {
      await lockCheck(tx, tenantId, id);
      const other = await signerCheckOf(tx, tenantId, id);
      if (other) return other;
      const flow = await publishedFlow(tx, tenantId, wanted.flow.type, wanted.flow.code);
      if (!flow) return { outcome: 'refused', reason: 'flow_not_published' };
      const reason = refusalOf(flow.steps, wanted.document_type);
      if (reason) return { outcome: 'refused', reason };
      const { session, captureUrl } = await this.opening.open(tx, {
        tenant: { id: tenantId, displayName: tenant.display_name, environment: tenant.environment },
        flow,
        body: bodyOf(wanted),
        actor: SIGNING,
        trail: { signer_check: id },
      });
      const capture_sealed = captureUrl === null ? null : this.secrets.seal(captureUrl, signerCaptureContext(id));
      const check: SignerCheck = {
        ...{ id, tenant_id: tenantId, session_id: session.id, capture_sealed },
        created_at: new Date(),
      };
      await tx.manager.insert(SignerCheck, check);
      return check;
    });
    return 'outcome' in opened ? opened : this.resultOf(opened);
  }

  /** The signing module has the address: it is kept no longer. */
  private async withoutAddress(check: SignerCheck): Promise<SignerCheck> {
    if (check.capture_sealed === null) return check;
    const { tenant_id, id } = check;
    await this.database.tenant(tenant_id, (tx) =>
      tx.manager.update(SignerCheck, { tenant_id, id }, { capture_sealed: null }),
    );
    return { ...check, capture_sealed: null };
  }

  private async resultOf(check: SignerCheck): Promise<SignerIdentityResult> {
    const { tenant_id: tenantId, session_id: sessionId } = check;
    if (sessionId === null) return { outcome: 'cancelled' };
    const session = await this.sessions.expire(tenantId, sessionId);
    switch (session.status) {
      case 'in_progress':
        return {
          outcome: 'open',
          capture_url: check.capture_sealed && this.addressOf(check.id, check.capture_sealed),
          lacks_credits: isAtFace(session) && (await this.lacksCredits(tenantId)),
        };
      case 'manual_review':
        return { outcome: 'in_review' };
      case 'failed':
        return { outcome: ENDS[session.rejection_reason ?? ''] ?? 'not_verified' };
      case 'completed':
        return this.verified(session);
    }
  }

  private async verified(session: FlowSession): Promise<SignerIdentityResult> {
    const { tenant_id: tenantId } = session;
    const { flow, runs, subject, kept } = await this.database.tenant(tenantId, async (tx) => ({
      flow: await tx.manager.findOneBy(Flow, { tenant_id: tenantId, id: session.flow_id }),
      runs: await runsOf(tx, session.id),
      subject: await subjectRow(tx, tenantId, session.subject_id),
      kept: session.presentation_id === null ? null : await presentationRow(tx, tenantId, session.presentation_id),
    }));
    // Outside of the transaction: KMS must not hold a connection.
    const data = await this.subjects.opened(subject);
    const verified = flow && verifiedSigner({ session, flow, runs, kept, fullName: data?.fullName ?? null });
    return verified ? { outcome: 'verified', verified } : { outcome: 'not_verified' };
  }

  private addressOf(id: string, sealed: Buffer): string {
    return this.secrets.open(sealed, signerCaptureContext(id)).toString();
  }

  /** Whether the balance does not cover the flow; the step itself holds the price, or fails. */
  private async lacksCredits(tenantId: string): Promise<boolean> {
    return (await this.ledger.balance(tenantId)).available < PRICE.kyc;
  }
}

/** At the step that holds the price, and not under way. */
const isAtFace = (session: FlowSession): boolean =>
  currentStep(session)?.step_type === 'face_match' && session.last_outcome !== 'processing';

/** Each check has a subject of its own: the signer's address identifies nobody among the tenant's customers. */
const bodyOf = ({ document_type, document_number, country, email, locale }: Wanted) => ({
  document_type,
  document_number,
  country,
  email,
  hosted: true,
  locale,
});
