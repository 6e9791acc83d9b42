import { pathUuid } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  ENVELOPE_KEY,
  openEnvelope,
  type StoredEnvelope,
  type TenantSealing,
  tenantSealing,
} from '../envelope-records/envelope-secrets.ts';
import type { EnvelopeRow } from '../envelope-records/envelope-rows.ts';
import type { EnvelopeStatus } from '../envelope-records/envelope-states.ts';
import type { EnvelopeFile } from './envelope-view.ts';
import { type LockedEnvelope, lockEnvelope } from '../envelope-records/lock-envelope.ts';
import { openSigner, SIGNER_KEY, type Stored } from '../envelope-records/signer-secrets.ts';
import { TrailArchives } from '../trail-archive/trail-archives.ts';
import { IdentityCheck } from '../signer-identity/identity-check.entity.ts';
import type { NotificationRow, ViewedSigner } from './signer-view.ts';
import { readTrail, type TrailEvent } from '../envelope-records/trail.ts';

export interface EnvelopeFilter {
  statuses?: readonly EnvelopeStatus[];
  circuitUuid?: string;
  externalRef?: string;
  /** desc, the default: the newest first. */
  order?: 'asc' | 'desc';
  /** What is listed begins after this one, in its order. */
  beyondId?: string;
  limit: number;
}

/** Of an envelope; UUIDs. */
export interface EnvelopeKey {
  tenant_id: string;
  id: string;
}

/** The envelopes of every tenant. */
@Injectable()
export class Envelopes {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly archives: TrailArchives,
  ) {}

  /** One envelope by its TypeID, with its signers. Throws NotFound, for another tenant's too. */
  async find(tenantId: string, id: string): Promise<EnvelopeFile> {
    const uuid = pathUuid('env', id);
    const sealing = await tenantSealing(this.personal, tenantId);
    return this.database.snapshot(tenantId, async (tx) => {
      const [envelope] = await rowsOf(tx, tenantId, uuid);
      const [file] = await filesOf(tx, sealing, tenantId, envelope ? [envelope] : []);
      if (!file) throw new NotFound();
      return file;
    });
  }

  /** The same, without the signers: what the download of the document reads. */
  async findRow(tenantId: string, id: string): Promise<Omit<EnvelopeRow, 'key'>> {
    const uuid = pathUuid('env', id);
    const [envelope] = await this.database.tenant(tenantId, (tx) => rowsOf(tx, tenantId, uuid));
    if (!envelope) throw new NotFound();
    return envelope;
  }

  /** Newest first, or oldest first, from a UUID on. */
  async list(tenantId: string, filter: EnvelopeFilter): Promise<EnvelopeFile[]> {
    const sealing = await tenantSealing(this.personal, tenantId);
    return this.database.snapshot(tenantId, (tx) => listEnvelopes(tx, sealing, tenantId, filter));
  }

  /** The trail of an envelope, ascending, after a `seq`, wherever it is. Throws NotFound, DependencyUnavailable. */
  async trail(tenantId: string, id: string, page: { afterSeq: number; limit: number }): Promise<TrailEvent[]> {
    const uuid = pathUuid('env', id);
    const stored = await this.database.tenant(tenantId, async (tx) => {
      const [envelope] = await rowsOf(tx, tenantId, uuid);
      if (!envelope) throw new NotFound();
      return readTrail(tx, tenantId, uuid, page);
    });
    const { afterSeq, limit } = page;
    if (stored[0]?.seq === afterSeq + 1) return stored;
    const archived = await this.archives.events(tenantId, uuid);
    return [...archived.filter(({ seq }) => seq > afterSeq), ...stored].slice(0, limit);
  }

  /** Does something with an envelope whose row is locked. Throws NotFound. */
  async change<T>(tenantId: string, id: string, work: (locked: LockedEnvelope, tx: Tx) => Promise<T>): Promise<T> {
    const uuid = pathUuid('env', id);
    const sealing = await tenantSealing(this.personal, tenantId);
    return this.database.tenant(tenantId, async (tx) => work(await lockEnvelope(tx, sealing, tenantId, uuid), tx));
  }

  /** Ids of envelopes whose time is over, of any tenant, the longest over first. */
  overdue(limit: number): Promise<EnvelopeKey[]> {
    return this.database.query('select tenant_id, id from signing.overdue_envelopes($1)', [limit]);
  }

  /** Ids of envelopes that can still be signed, although their tenant was closed. */
  ofClosedTenants(limit: number): Promise<EnvelopeKey[]> {
    return this.database.query('select tenant_id, id from signing.envelopes_of_closed($1)', [limit]);
  }
}

/** Newest first, or oldest first, from a UUID on. */
export async function listEnvelopes(
  tx: Tx,
  sealing: TenantSealing,
  tenantId: string,
  filter: EnvelopeFilter,
): Promise<EnvelopeFile[]> {
  return filesOf(tx, sealing, tenantId, await storedEnvelopes(tx, tenantId, filter));
}

/** The rows of such a page, closed. */
export function storedEnvelopes(tx: Tx, tenantId: string, filter: EnvelopeFilter): Promise<StoredEnvelope[]> {
  return tx.query<StoredEnvelope>(...envelopesSql(tenantId, filter));
}

/**
 * Of several states, each is read in its own order from its index: the first of all of them are among the first of each. Each state is a
 * value of its own, not one of an array, so that PostgreSQL sees how rare it is: it would read every other envelope for a rare one.
 */
export function envelopesSql(
  tenantId: string,
  { statuses, circuitUuid, externalRef, order = 'desc', beyondId, limit }: EnvelopeFilter,
): [sql: string, params: unknown[]] {
  const params: unknown[] = [tenantId, circuitUuid ?? null, beyondId ?? null, limit];
  const ofRef = externalRef === undefined ? '' : `and e.external_ref = $${params.push(externalRef)}`;
  const page = (ofState: string) => `
    select e.*, ${ENVELOPE_KEY} from signing.envelope e
     where e.tenant_id = $1 ${ofState} and ($2::uuid is null or e.circuit_id = $2)
       and ($3::uuid is null or e.id ${order === 'asc' ? '>' : '<'} $3) ${ofRef}
     order by e.id ${order} limit $4`;
  if (statuses === undefined) return [page(''), params];
  const pages = statuses.map((status) => `(${page(`and e.status = $${params.push(status)}`)})`);
  return [`select e.* from (${pages.join(' union all ')}) e order by e.id ${order} limit $4`, params];
}

function rowsOf(tx: Tx, tenantId: string, uuid: string): Promise<StoredEnvelope[]> {
  const sql = `select e.*, ${ENVELOPE_KEY} from signing.envelope e where e.tenant_id = $1 and e.id = $2`;
  return tx.query<StoredEnvelope>(sql, [tenantId, uuid]);
}

/** Envelopes with their signers and the latest that was written to each. */
async function filesOf(
  tx: Tx,
  sealing: TenantSealing,
  tenantId: string,
  envelopes: StoredEnvelope[],
): Promise<EnvelopeFile[]> {
  if (envelopes.length === 0) return [];
  const ids = envelopes.map(({ id }) => id);
  const signers = await tx.query<Stored<ViewedSigner>>(
    `select s.id, s.envelope_id, s.role, s.email, s.name, s.ord, s.status, s.auth, s.auth_done, s.viewed_at, s.document_shown_at,
        s.link_stopped_at, s.consented_at, s.authenticated_at, s.signed_at, s.declined_at, s.decline_reason, s.reminded_at,
        s.reminder_due_at, s.reminders_sent, s.person_salt, s.sealed_person, ${SIGNER_KEY}
       from signing.envelope_signer s where s.tenant_id = $1 and s.envelope_id = any ($2) order by s.ord, s.role`,
    [tenantId, ids],
  );
  const notifications = await tx.query<NotificationRow>(
    `select distinct on (signer_id) signer_id, kind, created_at, sent_at, failed_at, failure, waiting_for from signing.signer_mail
      where tenant_id = $1 and signer_id = any ($2) and kind in ('invitation', 'reminder')
        and failure is distinct from 'not_needed'
      order by signer_id, created_at desc`,
    [tenantId, signers.map(({ id }) => id)],
  );
  const verified = signers.filter(({ auth }) => auth.includes('identity')).map(({ id }) => id);
  const checks =
    verified.length === 0
      ? []
      : await tx.manager.findBy(IdentityCheck, { tenant_id: tenantId, signer_id: In(verified) });
  return envelopes.map((envelope) => ({
    envelope: openEnvelope(sealing, envelope),
    signers: signers
      .filter(({ envelope_id }) => envelope_id === envelope.id)
      .map((signer) => openSigner<ViewedSigner>(sealing.keyring, signer)),
    notifications,
    checks,
  }));
}
