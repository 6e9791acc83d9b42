import { type AuditEntry, AuditLog } from '@constancia/auth';
import { Idempotency } from '@constancia/idempotency';
import { typeId, uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData, retentionOf } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import { eraseAttachments } from '../case-attachments/stored-attachments.ts';
import { sealCases, sealScreenings } from '../sealing/seal-rows.ts';
import type { Erasable, ErasureReceipt } from './erasure-receipt.entity.ts';
import { insertReceipt, receiptById, receiptsOf } from './erasure-receipts.ts';

const DAY_MS = 86_400_000;
/** SARLAFT: at least so long from the end of the relationship. */
const LEGAL_YEARS = 5;

/** Whom to erase, and on whose behalf. */
export interface ErasureOrder {
  /** UUID of the receipt, when the caller has one: the same one again changes nothing. */
  id?: string;
  /** Every reference under which the person was screened. */
  refs: string[];
  actor: string;
  /** When the legal duty to keep begins. */
  relationshipEndedAt: Date;
  /** Who asked for it here. An erasure that the identity module asks for is in the audit log already. */
  audit?: Pick<AuditEntry, 'principal' | 'origin' | 'onBehalfOf'>;
}

interface Blocked {
  screenings: number;
  cases: number;
  monitored: number;
  dismissed: number;
}

/**
 * Erases a person from compliance (Ley 1581 of 2012, article 8e). Monitoring, dismissed hits and stored answers end at once. Screenings
 * and cases are what SARLAFT obliges the entity to keep: they are blocked, which means sealed with a key that nothing new uses, and seen by
 * nobody but through the receipt; when the duty ends the key is destroyed. Where there are none, it is destroyed at once.
 */
@Injectable()
export class Erasure {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly idempotency: Idempotency,
  ) {}

  /** Answers the receipt: the same one for the same id, and for a person of whom there is nothing new. */
  async erase(tenantId: string, order: ErasureOrder): Promise<ErasureReceipt> {
    const { database, personal } = this;
    const keyring = await personal.tenant(tenantId);
    return database.tenant(tenantId, async (tx) => {
      await tx.query('select compliance.begin_erasure($1)', [tenantId]);
      const known = order.id === undefined ? null : await receiptById(tx, tenantId, order.id);
      if (known) return known;
      const earlier = await receiptsOf(tx, tenantId, order.refs);
      const there = await this.isThere(tx, tenantId, order.refs);
      const [last] = earlier;
      if (!there && last && order.id === undefined) return last;
      await sealScreenings(tx, { personal, keyring, tenantId }, order.refs);
      await sealCases(tx, { personal, keyring, tenantId }, order.refs);
      const receipt = await this.blockOrDestroy(tx, tenantId, { ...order, id: order.id ?? uuidv7() }, earlier);
      const object = { kind: 'erasure', id: typeId('rcp', receipt.id) };
      const { audit } = order;
      if (audit) await AuditLog.record(tx, { ...audit, action: 'erasure.created', object });
      return receipt;
    });
  }

  /** Ends a receipt whose legal duty is over: what it kept can be opened by nobody any more. */
  async endDuty(tenantId: string, receiptId: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const receipt = await receiptById(tx, tenantId, receiptId);
      if (!receipt || receipt.ended_at !== null || (receipt.kept_until ?? new Date()) > new Date()) return;
      await this.personal.destroy(tx, tenantId, receipt.key_ids);
      await eraseAttachments(tx, tenantId, receipt.key_ids);
      await tx.query(
        `update compliance.erasure_receipt set ended_at = now(), kept = '{}' where tenant_id = $1 and id = $2`,
        [tenantId, receiptId],
      );
    });
  }

  private async isThere(tx: Tx, tenantId: string, refs: string[]): Promise<boolean> {
    const [row] = await tx.query<{ there: boolean }>(
      `select exists (select 1 from compliance.screening where tenant_id = $1 and subject_ref = any ($2))
           or exists (select 1 from compliance.review_case where tenant_id = $1 and subject_ref = any ($2))
           or exists (select 1 from compliance.subject_key where tenant_id = $1 and ref = any ($2) and closed_at is null) as there`,
      [tenantId, refs],
    );
    return row?.there ?? false;
  }

  private async blockOrDestroy(
    tx: Tx,
    tenantId: string,
    order: ErasureOrder & { id: string },
    earlier: ErasureReceipt[],
  ): Promise<ErasureReceipt> {
    const { personal } = this;
    const [blocked] = await tx.query<Blocked>('select * from compliance.block_subject($1, $2, $3)', [
      tenantId,
      order.id,
      order.refs,
    ]);
    const keys = await this.closeKeys(tx, tenantId, order.refs);
    await this.forgetAnswers(tx, tenantId, order.refs, keys);
    const before = earlier.filter(({ ended_at }) => ended_at === null);
    const kept = keptOf(blocked as Blocked);
    if (kept.length === 0) await personal.destroy(tx, tenantId, keys);
    const until = kept.length === 0 ? null : await this.keptUntil(tx, tenantId, order.relationshipEndedAt);
    return insertReceipt(tx, {
      id: order.id,
      tenant_id: tenantId,
      subject_refs: order.refs,
      actor: order.actor,
      covers: [order.id, ...before.map(({ id }) => id)],
      key_ids: [...new Set([...keys, ...before.flatMap(({ key_ids }) => key_ids)])],
      erased: erasedOf(blocked as Blocked, keys.length > 0),
      kept: [...new Set([...kept, ...before.flatMap((one) => one.kept)])],
      kept_until: latest([until, ...before.map(({ kept_until }) => kept_until)]),
    });
  }

  private async closeKeys(tx: Tx, tenantId: string, refs: string[]): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `select id from compliance.subject_key where tenant_id = $1 and ref = any ($2) and closed_at is null`,
      [tenantId, refs],
    );
    const ids = rows.map(({ id }) => id);
    await this.personal.close(tx, tenantId, ids);
    return ids;
  }

  /** Those of the release before are in the clear, and are found by the reference that they repeat. */
  private async forgetAnswers(tx: Tx, tenantId: string, refs: string[], keys: string[]): Promise<void> {
    const { idempotency } = this;
    for (const key of keys) await idempotency.eraseOwner(tx, tenantId, key);
    for (const ref of refs) await idempotency.eraseContaining(tx, tenantId, `"subject_ref":${JSON.stringify(ref)}`);
  }

  private async keptUntil(tx: Tx, tenantId: string, since: Date): Promise<Date> {
    const { compliance } = await retentionOf(tx, tenantId);
    const byLaw = new Date(since);
    byLaw.setUTCFullYear(byLaw.getUTCFullYear() + LEGAL_YEARS);
    return new Date(Math.max(byLaw.getTime(), since.getTime() + compliance.blocked_days * DAY_MS));
  }
}

function keptOf({ screenings, cases }: Blocked): Erasable[] {
  return [...(screenings > 0 ? ['screenings' as const] : []), ...(cases > 0 ? ['cases' as const] : [])];
}

function erasedOf({ monitored, dismissed }: Blocked, hadKeys: boolean): Erasable[] {
  return [
    ...(monitored > 0 ? ['monitoring' as const] : []),
    ...(dismissed > 0 ? ['dismissed_hits' as const] : []),
    ...(hadKeys ? ['stored_answers' as const] : []),
  ];
}

function latest(times: (Date | null)[]): Date | null {
  const known = times.flatMap((time) => (time ? [time.getTime()] : []));
  return known.length === 0 ? null : new Date(Math.max(...known));
}
