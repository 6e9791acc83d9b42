import type { IdentityEvidence, SignerIdentityResult, VerifiedSigner } from '@constancia/contracts';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import { tenantSealing } from '../envelope-records/envelope-secrets.ts';
import { lockEnvelope } from '../envelope-records/lock-envelope.ts';
import { recordEvent } from '../envelope-records/trail.ts';
import { EnvelopeSigner } from '../envelope-records/envelope-signer.entity.ts';
import { IdentityCancellation } from './identity-cancellation.entity.ts';
import { IdentityCheck } from './identity-check.entity.ts';
import { IdentityChecks } from './identity-checks.ts';
import { type IdentityStatus, isUnderWay, isVerifiable, mayBecome } from './identity-states.ts';
import { isSameName } from './same-name.ts';

type Change = Partial<
  Pick<IdentityCheck, 'reason' | 'request_sealed' | 'capture_sealed' | 'verified' | 'settled_at'>
> & {
  status: IdentityStatus;
};

type Opened = Extract<SignerIdentityResult, { outcome: 'open' }>;

/** What the identity module answers. An answer may come twice, late, or to a check that another one replaced. */
@Injectable()
export class IdentityResults {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly checks: IdentityChecks,
  ) {}

  async record(tenantId: string, id: string, result: SignerIdentityResult): Promise<void> {
    if (result.outcome === 'unknown') return; // the request is still kept when nothing was opened: it is asked again
    if (result.outcome === 'cancelled') return this.forgetCancellation(tenantId, id);
    const sealing = await tenantSealing(this.personal, tenantId);
    await this.database.tenant(tenantId, async (tx) => {
      const found = await tx.manager.findOneBy(IdentityCheck, { tenant_id: tenantId, id });
      const owner = found && (await tx.manager.findOneBy(EnvelopeSigner, { tenant_id: tenantId, id: found.signer_id }));
      if (!owner) return;
      const { envelope, signers } = await lockEnvelope(tx, sealing, tenantId, owner.envelope_id);
      const check = await tx.manager.findOneBy(IdentityCheck, { tenant_id: tenantId, id }); // as the lock left it
      const signer = signers.find((one) => one.id === check?.signer_id);
      if (!check || !signer || !isVerifiable(envelope.status)) return;
      const change = this.changeOf(check, signer.name, result);
      if (!change) return;
      await tx.manager.update(IdentityCheck, { tenant_id: tenantId, id }, change);
      if (isUnderWay(change.status)) return;
      const { status: outcome, reason, verified } = change;
      const data = { outcome, ...(reason && { reason }), ...(verified && { verified }) };
      const of = { tenantId, envelopeId: envelope.id, signer };
      await recordEvent(tx, { ...of, type: 'signer.identity_checked', data });
    });
  }

  private async forgetCancellation(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) => tx.manager.delete(IdentityCancellation, { tenant_id: tenantId, id }));
  }

  private changeOf(check: IdentityCheck, name: string | null, result: SignerIdentityResult): Change | undefined {
    const status = statusOf(result, name);
    if (status === undefined || !mayBecome(check.status, status)) return undefined;
    if (result.outcome === 'open') return this.openedBy(check, result);
    if (isUnderWay(status)) return { status, reason: null, request_sealed: null, capture_sealed: null };
    const verified = result.outcome === 'verified' && status === 'verified' ? evidenceOf(result.verified) : null;
    const reason = result.outcome === 'refused' ? result.reason : null;
    return { status, reason, request_sealed: null, capture_sealed: null, verified, settled_at: new Date() };
  }

  /** Undefined when the answer tells nothing new. Without an address the signing module had it before: the one that is kept stays. */
  private openedBy(check: IdentityCheck, { capture_url, lacks_credits }: Opened): Change | undefined {
    const kept = this.checks.captureUrl(check);
    const url = capture_url ?? kept;
    const reason = lacks_credits ? 'insufficient_credits' : null;
    if (url === null || (check.status === 'open' && check.reason === reason && url === kept)) return undefined;
    return {
      ...{ status: 'open', reason, request_sealed: null },
      ...(url !== kept && { capture_sealed: this.checks.sealCapture(check.signer_id, url) }),
    };
  }
}

function statusOf(result: SignerIdentityResult, name: string | null): IdentityStatus | undefined {
  switch (result.outcome) {
    case 'unknown':
    case 'cancelled':
      return undefined;
    case 'verified':
      return name !== null && isSameName(name, result.verified.full_name) ? 'verified' : 'name_mismatch';
    default:
      return result.outcome;
  }
}

function evidenceOf({ full_name: _, ...evidence }: VerifiedSigner): IdentityEvidence {
  return evidence;
}
