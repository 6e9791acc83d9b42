import { SIGNING_CONTEXT } from '@constancia/contracts';
import type { EventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import { type Placeholder, valuesAt } from '@constancia/pdf-sealing';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import { SealingConfig } from './config.ts';
import { failureMembers, ownReference, proofMembers, sealEvent } from './sealed-events.ts';
import { type FunctionNames, SealingTable } from './sealing-table.ts';
import type { ClaimedRow, Failure, Seal, SealingWork } from './sealing-work.ts';

const FUNCTIONS: FunctionNames = {
  claim: 'claim_sealing_v3',
  extend: 'extend_sealing_lease',
  complete: 'complete_sealings',
  fail: 'fail_sealing',
  defer: 'defer_sealing',
  backlog: 'sealing_backlog',
};

type MergeData = Record<string, string>;

/** A row of claim_sealing_v3. */
interface ClaimedRequest extends ClaimedRow {
  template_id: string;
  subject_ref: string;
  /** Personal data: never logged, never in an error. */
  merge_data: MergeData;
  /** Null in a row that the release before wrote: then merge_data has it. */
  sealed_merge_data: Buffer | null;
  merge_key: Buffer | null;
  created_at: Date;
  template_sha256: Buffer | null;
  template_key: string;
  template_bytes: number;
  placeholders: Placeholder[];
}

/** Signature requests: one person's document, from a template and the values at its placeholders. */
@Injectable()
export class SignatureRequests extends SealingTable<ClaimedRequest> {
  readonly kind = 'signature';

  constructor(
    database: Database,
    private readonly personal: PersonalData,
    private readonly config: SealingConfig,
  ) {
    super(database, FUNCTIONS);
  }

  protected workOf(row: ClaimedRequest): SealingWork {
    return {
      ...row,
      kind: this.kind,
      name: typeId('sig', row.id),
      since: row.created_at,
      giveUpSeconds: this.config.giveUpSeconds,
      drawnBefore: false,
      base: { sha256: row.template_sha256, key: row.template_key, bytes: row.template_bytes },
      additions: async () => ({ drawings: valuesAt(row.placeholders, await this.mergeData(row)) }),
      complete: (seal) => this.complete(row, seal),
      fail: (failure) => this.fail(row, failure),
      defer: (delayMs, cause) => this.putOff(row, Math.ceil(delayMs), cause === 'internal'),
    };
  }

  /** Throws KeysUnavailableError while KMS cannot be asked for the keys of a tenant that this process does not know yet. */
  private async mergeData({
    id,
    tenant_id,
    merge_data,
    sealed_merge_data,
    merge_key,
  }: ClaimedRequest): Promise<MergeData> {
    if (sealed_merge_data === null) return merge_data;
    if (merge_key === null) throw new Error('sealed merge data has no key');
    const keyring = await this.personal.tenant(tenant_id);
    return keyring.subject(id, merge_key).open(SIGNING_CONTEXT.mergeData(id), sealed_merge_data);
  }

  private async complete(row: ClaimedRequest, seal: Seal): Promise<EventRecord | undefined> {
    const payload = { ...subjectOf(row), ...proofMembers(seal), evidence_level: seal.level };
    const event = sealEvent(row, 'seal.signature.completed', payload, seal.signedAt);
    return (await this.storeSeal(row, seal, { event })) ? event : undefined;
  }

  private async fail(row: ClaimedRequest, failure: Failure): Promise<EventRecord | undefined> {
    const event = sealEvent(row, 'seal.signature.failed', { ...subjectOf(row), ...failureMembers(row, failure) });
    const { code, reason, refund } = failure;
    return (await this.storeFailure(row, code, reason, refund, JSON.stringify(event))) ? event : undefined;
  }
}

function subjectOf(row: ClaimedRequest) {
  return {
    request_id: typeId('sig', row.id),
    template_id: typeId('tpl', row.template_id),
    subject_ref: row.subject_ref,
    ...ownReference(row),
  };
}
