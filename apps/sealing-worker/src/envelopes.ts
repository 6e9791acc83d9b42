import { randomBytes } from 'node:crypto';
import type { EventRecord } from '@constancia/events';
import { canonicalJson, typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import { CompletedDocuments } from './completed-documents.ts';
import type { ClaimedEnvelope, StoredSigner } from './envelope-rows.ts';
import { type DrawnEnvelope, openedEnvelope } from './opened-envelope.ts';
import { failureMembers, ownReference, proofMembers, sealEvent } from './sealed-events.ts';
import { type FunctionNames, SealingTable } from './sealing-table.ts';
import type { Failure, Seal, SealingWork } from './sealing-work.ts';

const FUNCTIONS: FunctionNames = {
  claim: 'claim_envelope_sealing_v2',
  extend: 'extend_envelope_sealing_leases',
  complete: 'complete_envelope_sealings',
  fail: 'fail_envelope_sealing',
  defer: 'defer_envelope_sealing',
  backlog: 'envelope_sealing_backlog',
};

/**
 * Envelopes that all their signers have signed: a circuit's document with what they gave, and the certificate of completion behind. Signatures
 * cannot be collected twice: nothing that is merely away makes an envelope fail.
 */
@Injectable()
export class Envelopes extends SealingTable<ClaimedEnvelope> {
  readonly kind = 'envelope';

  constructor(
    database: Database,
    private readonly personal: PersonalData,
    private readonly documents: CompletedDocuments,
  ) {
    super(database, FUNCTIONS);
  }

  protected workOf(row: ClaimedEnvelope): SealingWork {
    return {
      ...row,
      kind: this.kind,
      name: typeId('env', row.id),
      since: row.all_signed_at,
      giveUpSeconds: Infinity,
      drawnBefore: true,
      base: { sha256: row.base_sha256, key: row.base_key, bytes: row.base_bytes },
      additions: async (base, key) => {
        const [drawn, tenant] = await Promise.all([this.drawnOf(row), this.tenantOf(row)]);
        return this.documents.additions({ ...drawn, tenant }, base, key);
      },
      complete: (seal) => this.complete(row, seal),
      fail: (failure) => this.fail(row, failure),
      defer: (delayMs, cause) => this.putOff(row, Math.ceil(delayMs), cause === 'internal', cause),
    };
  }

  /** Throws KeysUnavailableError while KMS cannot be asked for the keys of a tenant that this process does not know yet. */
  private async drawnOf(envelope: ClaimedEnvelope): Promise<DrawnEnvelope> {
    const signers = await this.database.prepared<StoredSigner>(
      'signers_to_seal_v3',
      'select * from signing.signers_to_seal_v3($1, $2)',
      [envelope.id, envelope.lease_token],
    );
    if (signers.length === 0) throw new Error('the lease of an envelope was lost before it was drawn');
    return openedEnvelope(this.personal, envelope, signers);
  }

  private async tenantOf({ tenant_id }: ClaimedEnvelope): Promise<string> {
    const [tenant] = await this.database.prepared<{ display_name: string }>(
      'tenant_profile',
      'select display_name from platform_v1.tenant_profile($1)',
      [tenant_id],
    );
    return tenant?.display_name ?? '';
  }

  private async complete(row: ClaimedEnvelope, seal: Seal): Promise<EventRecord | undefined> {
    const signers = row.signers.map(({ role, signed_at }) => ({ role, signed_at: new Date(signed_at).toISOString() }));
    const payload = { ...subjectOf(row), ...proofMembers(seal), evidence_level: seal.level, signers };
    const event = sealEvent(row, 'seal.envelope.completed', payload, seal.signedAt);
    const trail = trailLink(row, 'envelope.sealed', { ...proofMembers(seal), signature_algorithm: seal.algorithm });
    return (await this.storeSeal(row, seal, { trail, event })) ? event : undefined;
  }

  private async fail(row: ClaimedEnvelope, failure: Failure): Promise<EventRecord | undefined> {
    const members = failureMembers(row, failure);
    const event = sealEvent(row, 'seal.envelope.failed', { ...subjectOf(row), ...members });
    const trail = JSON.stringify(trailLink(row, 'envelope.failed', members));
    const { code, reason, refund } = failure;
    const ours = await this.storeFailure(row, code, reason, refund, trail, JSON.stringify(event));
    return ours ? event : undefined;
  }
}

function subjectOf(row: ClaimedEnvelope) {
  return { envelope_id: typeId('env', row.id), circuit_id: typeId('cir', row.circuit_id), ...ownReference(row) };
}

/** As record_envelope_event takes it: about no single signer. The salt keeps the public hash from confirming a guess at the rest. */
function trailLink(row: ClaimedEnvelope, type: 'envelope.sealed' | 'envelope.failed', data: Record<string, unknown>) {
  return { envelope_id: row.id, type, data: canonicalJson({ ...data, salt: randomBytes(16).toString('hex') }) };
}
