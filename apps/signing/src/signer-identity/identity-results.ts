import type { SignerIdentityResult, VerifiedSigner } from '@constancia/contracts';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import { tenantSealing } from '../envelope-records/envelope-secrets.ts';
import { lockEnvelope } from '../envelope-records/lock-envelope.ts';
import { recordEvent } from '../envelope-records/trail.ts';
import { EnvelopeSigner } from '../envelope-records/envelope-signer.entity.ts';
import { IdentityCheck } from './identity-check.entity.ts';
import { IdentityChecks } from './identity-checks.ts';
import { type IdentityStatus, isUnderWay, isVerifiable, mayBecome } from './identity-states.ts';
import { isSameName } from './same-name.ts';

type Change = Partial<
  Pick<IdentityCheck, 'reason' | 'request_sealed' | 'capture_sealed' | 'verified' | 'settled_at'>
> & {
  status: IdentityStatus;
};

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
      await this.write(tx, check, change);
      if (isUnderWay(change.status)) return;
      const { status: outcome, reason, verified } = change;
      const data = { outcome, ...(reason && { reason }), ...(verified && { verified }) };
      const of = { tenantId, envelopeId: envelope.id, signer };
      await recordEvent(tx, { ...of, type: 'signer.identity_checked', data });
    });
  }

  private changeOf(check: IdentityCheck, name: string | null, result: SignerIdentityResult): Change | undefined {
    const status = statusOf(result, name);
    const repeatsOpen = status === 'open' && check.status === 'open';
    if (status === undefined || (!mayBecome(check.status, status) && !repeatsOpen)) return undefined;
    if (result.outcome === 'open') {
      // Without an address the signing module had it before: the one that is kept stays.
      if (result.capture_url === null && check.capture_sealed === null) return undefined;
      const capture = result.capture_url === null ? {} : this.captureOf(check, result.capture_url);
      const reason = result.lacks_credits ? 'insufficient_credits' : null;
      return { status: 'open', reason, request_sealed: null, ...capture };
    }
    if (isUnderWay(status)) return { status, reason: null, request_sealed: null, capture_sealed: null };
    const verified = result.outcome === 'verified' && status === 'verified' ? evidenceOf(result.verified) : null;
    const reason = result.outcome === 'refused' ? result.reason : null;
    return { status, reason, request_sealed: null, capture_sealed: null, verified, settled_at: new Date() };
  }

  private captureOf({ signer_id }: IdentityCheck, url: string): Pick<IdentityCheck, 'capture_sealed'> {
    return { capture_sealed: this.checks.sealCapture(signer_id, url) };
  }

  private async write(tx: Tx, { tenant_id, signer_id, id }: IdentityCheck, change: Change): Promise<void> {
    await tx.manager.update(IdentityCheck, { tenant_id, signer_id, id }, change);
  }
}

function statusOf(result: SignerIdentityResult, name: string | null): IdentityStatus | undefined {
  switch (result.outcome) {
    case 'unknown':
      return undefined;
    case 'verified':
      return name !== null && isSameName(name, result.verified.full_name) ? 'verified' : 'name_mismatch';
    default:
      return result.outcome;
  }
}

function evidenceOf({ full_name: _, ...evidence }: VerifiedSigner): Omit<VerifiedSigner, 'full_name'> {
  return evidence;
}
