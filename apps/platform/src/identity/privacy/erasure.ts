import { type AuditEntry, AuditLog } from '@constancia/auth';
import { type Acting, type ErasureRequest, type ModuleErasure, SUBJECT_RECORD_CONTEXT } from '@constancia/contracts';
import { actingOf, type Principal } from '@constancia/http';
import { IndependentWork, sealRecord, typeId, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { moveSession } from '../sessions/move-session.ts';
import { lockSession } from '../sessions/session-changes.ts';
import { IdentityAnswers } from '../subjects/identity-answers.ts';
import { SubjectKeys } from '../subjects/subject-keys.ts';
import type { Subject } from '../subjects/subject.entity.ts';
import { recordText } from '../subjects/subject.ts';
import { subjectRow, Subjects } from '../subjects/subjects.ts';
import { AssetRemoval } from '../uploads/asset-removal.ts';
import { settledWithin } from '../settled-within.ts';
import type { ErasureReceipt } from './erasure-receipt.entity.ts';
import { identityErasure, receiptById, receiptOfSubject } from './erasure-receipt.ts';
import { identitySettings } from './identity-settings.ts';
import { ModuleErasures, requestOfReceipt } from './module-erasures.ts';

const DAY_MS = 86_400_000;

/** How long the answer of an erasure waits for the other modules. */
const MODULES_MS = 2_000;

/** Who erases; by: undefined for this service. */
type Eraser = Pick<Acting, 'actor'> & { by: Acting['by'] | undefined };

const OF_CLOSED: Eraser = { actor: 'system', by: undefined };

/** A receipt with what every module did. */
export interface ErasureAnswer {
  receipt: ErasureReceipt;
  modules: ModuleErasure[];
}

/**
 * Erases subjects (Ley 1581 of 2012, article 8e). In one transaction their sessions end, what was gathered goes, the data key is
 * destroyed and the pictures are given up; the objects themselves follow at once, or by the sweep. A subject that was decided within the
 * tenant's legal_hold_days keeps its key, document number, name and birth date until the hold ends; pictures go nevertheless.
 */
@Injectable()
export class Erasure {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly keys: SubjectKeys,
    private readonly removal: AssetRemoval,
    private readonly answers: IdentityAnswers,
    private readonly modules: ModuleErasures,
  ) {}

  /** Answers the receipt; the same one however often. Waits a moment for the other modules. Throws NotFound. */
  async erase(subjectId: string, audit: Pick<AuditEntry, 'origin'> & { principal: Principal }): Promise<ErasureAnswer> {
    const tenantId = audit.principal.tenant.id;
    const receipt = await this.database.tenant(tenantId, async (tx) => {
      const { receipt, isNew } = await this.eraseNow(tx, tenantId, subjectId, actingOf(undefined, audit.principal));
      const object = { kind: 'erasure', id: typeId('rcp', receipt.id) };
      if (isNew) await AuditLog.record(tx, { ...audit, action: 'erasure.created', object });
      return receipt;
    });
    this.modules.wake(); // may be lost: the sweep asks
    await this.removal.removeDue(new IndependentWork()); // what cannot be removed now is removed by the sweep, which reports it
    return settledWithin(
      MODULES_MS,
      () => this.receipt(tenantId, receipt.id),
      (seen) => seen.modules.every(({ status }) => status === 'done'),
    );
  }

  /** For a subject of a tenant that was closed: no request waits for it. The sweeps remove the pictures and ask the other modules. */
  async eraseOfClosed(tenantId: string, subjectId: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) => this.eraseNow(tx, tenantId, subjectId, OF_CLOSED));
  }

  /** A receipt as it stands now. Throws NotFound. */
  receipt(tenantId: string, receiptId: string): Promise<ErasureAnswer> {
    return this.database.tenant(tenantId, async (tx) => {
      const receipt = await receiptById(tx, tenantId, receiptId);
      return {
        receipt,
        modules: [identityErasure(receipt), ...(await this.modules.of(tx, tenantId, receiptId))],
      };
    });
  }

  /** Ends a legal hold whose time is over: what it kept goes. */
  async endHold(tenantId: string, subjectId: string): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      const row = await subjectRow(tx, tenantId, subjectId, 'for update');
      if (row.legal_hold_until === null || row.legal_hold_until > new Date()) return;
      await this.destroyKey(tx, row);
    });
  }

  private async eraseNow(
    tx: Tx,
    tenantId: string,
    subjectId: string,
    acting: Eraser,
  ): Promise<{ receipt: ErasureReceipt; isNew: boolean }> {
    const sessions = await openSessions(tx, tenantId, subjectId); // their rows first, as everybody takes them
    const row = await subjectRow(tx, tenantId, subjectId, 'for update');
    if (row.erased_at !== null) {
      const receipt = await receiptOfSubject(tx, tenantId, subjectId);
      await this.modules.begin(tx, tenantId, receipt.id, requestOfReceipt(receipt, acting.actor)); // a release before did not ask them
      return { receipt, isNew: false };
    }
    sessions.push(...(await openSessions(tx, tenantId, subjectId, sessions))); // opened since, before the subject was held
    const { legal_hold_days: days } = await identitySettings(tx, tenantId);
    const until = row.decided_at && days > 0 ? new Date(row.decided_at.getTime() + days * DAY_MS) : null;
    const holdUntil = until !== null && until > new Date() ? until : null;
    const receipt = await this.writeReceipt(tx, row, holdUntil);
    await this.modules.begin(tx, tenantId, receipt.id, await this.requestOf(tx, row, receipt, acting.actor));
    for (const id of sessions) await this.endSession(tx, row, id, { ...acting, receiptId: receipt.id });
    await forgetAnswers(tx, tenantId, subjectId);
    await this.forgetStoredAnswers(tx, tenantId, subjectId);
    if (holdUntil === null) await this.destroyKey(tx, row);
    else await this.keepMinimum(tx, row, holdUntil);
    return { receipt, isNew: true };
  }

  private async writeReceipt(tx: Tx, row: Subject, holdUntil: Date | null): Promise<ErasureReceipt> {
    const given = await tx.query(
      `update identity.asset set status = 'deleting', delete_reason = 'erasure', lease_until = null
        where tenant_id = $1 and subject_id = $2 and status in ('awaiting', 'stored') returning 1`,
      [row.tenant_id, row.id],
    );
    const [receipt] = await tx.query<ErasureReceipt>(
      `insert into identity.erasure_receipt (id, tenant_id, subject_id, erased_at, legal_hold, legal_hold_until, assets)
       values ($1, $2, $3, now(), $4, $5, $6) returning *`,
      [uuidv7(), row.tenant_id, row.id, holdUntil !== null, holdUntil, given.length],
    );
    return receipt as ErasureReceipt;
  }

  /** Every reference by which the tenant may have given the person to another module. */
  private async requestOf(tx: Tx, row: Subject, receipt: ErasureReceipt, actor: string): Promise<ErasureRequest> {
    const refs = await tx.query<{ external_ref: string }>(
      `select distinct external_ref from identity.flow_session
        where tenant_id = $1 and subject_id = $2 and external_ref is not null`,
      [row.tenant_id, row.id],
    );
    const request = requestOfReceipt(receipt, actor);
    const known = [...request.subject_refs, row.external_ref, ...refs.map(({ external_ref }) => external_ref)];
    const { email = null } = (await this.subjects.opened(row)) ?? {};
    return { ...request, subject_refs: [...new Set(known.filter((ref) => ref !== null))], email };
  }

  private async endSession(
    tx: Tx,
    row: Subject,
    sessionId: string,
    { actor, by, receiptId }: Eraser & { receiptId: string },
  ): Promise<void> {
    const session = await lockSession(tx, row.tenant_id, sessionId);
    await moveSession(tx, this.subjects, {
      session,
      subject: row,
      action: 'erase',
      actor,
      by,
      reason: 'erased',
      what: { type: 'erased', data: { receipt_id: typeId('rcp', receiptId) } },
      columns: { sealed_context: null },
    });
  }

  /** Nothing is replayed for an Idempotency-Key any more. */
  private async forgetStoredAnswers(tx: Tx, tenantId: string, subjectId: string): Promise<void> {
    await this.answers.eraseOwner(tx, tenantId, subjectId);
    const sessions = await tx.query<{ id: string }>(
      'select id from identity.flow_session where tenant_id = $1 and subject_id = $2',
      [tenantId, subjectId],
    );
    const ids = [typeId('sub', subjectId), ...sessions.map(({ id }) => typeId('fls', id))];
    for (const id of ids) await this.answers.eraseContaining(tx, tenantId, id);
  }

  private async destroyKey(tx: Tx, row: Subject): Promise<void> {
    await tx.query(
      `update identity.subject
          set wrapped_key = null, sealed = null, document_number_hmac = null, external_ref = null,
              restrictive_list_hits = '{}', erased_at = coalesce(erased_at, now()), legal_hold_until = null, updated_at = now()
        where id = $1 and tenant_id = $2`,
      [row.id, row.tenant_id],
    );
    await this.keys.destroyed(tx, row.id);
  }

  private async keepMinimum(tx: Tx, row: Subject, until: Date): Promise<void> {
    const known = await this.subjects.opened(row);
    const key = await this.keys.of(tx, row.tenant_id, row.id);
    if (known === null || key === null) throw new Error('a subject that is not erased has its key');
    const owner = { tenantId: row.tenant_id, subjectId: row.id };
    const sealed = sealRecord(key, owner, SUBJECT_RECORD_CONTEXT, recordText({ ...known, email: null, phone: null }));
    await tx.query(
      `update identity.subject
          set sealed = $3, external_ref = null, erased_at = now(), legal_hold_until = $4, updated_at = now()
        where id = $1 and tenant_id = $2`,
      [row.id, row.tenant_id, sealed, until],
    );
  }
}

async function openSessions(tx: Tx, tenantId: string, subjectId: string, known: string[] = []): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from identity.flow_session
      where tenant_id = $1 and subject_id = $2 and status in ('in_progress', 'manual_review') and id <> all ($3)
      order by id for update`,
    [tenantId, subjectId, known],
  );
  return rows.map(({ id }) => id);
}

async function forgetAnswers(tx: Tx, tenantId: string, subjectId: string): Promise<void> {
  await tx.query(
    `update identity.flow_session set sealed_context = null, external_ref = null, forgotten_at = coalesce(forgotten_at, now())
      where tenant_id = $1 and subject_id = $2`,
    [tenantId, subjectId],
  );
  await tx.query(`update identity.step_run set result_sealed = null where tenant_id = $1 and subject_id = $2`, [
    tenantId,
    subjectId,
  ]);
  await tx.query(
    `update identity.session_review r set sealed_reason = null, status = case when r.status in ('asked', 'waiting') then 'superseded' else r.status end
       from identity.flow_session s where s.id = r.session_id and s.tenant_id = $1 and s.subject_id = $2`,
    [tenantId, subjectId],
  );
  await tx.query(
    `update identity.embed_session e set external_ref = null, metadata = '{}'
       from identity.flow_session s where s.id = e.target_id and s.tenant_id = $1 and s.subject_id = $2`,
    [tenantId, subjectId],
  );
  await tx.query(
    `update identity.consent_embed_session e set external_ref = null, metadata = '{}'
       from identity.wallet_presentation p where p.id = e.target_id and p.tenant_id = $1 and p.subject_id = $2`,
    [tenantId, subjectId],
  );
  await tx.query(
    `update identity.wallet_presentation set external_ref = null, metadata = '{}', sealed_claims = null
      where tenant_id = $1 and subject_id = $2`,
    [tenantId, subjectId],
  );
  await tx.query('delete from identity.wallet_offer where tenant_id = $1 and subject_id = $2', [tenantId, subjectId]);
}
