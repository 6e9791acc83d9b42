import { uuidOf } from '@constancia/kernel';
import type { Database, Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import type { EnvelopeRow } from './envelope-rows.ts';
import type { EnvelopeStatus } from './envelope-states.ts';
import type { EnvelopeFile } from './envelope-view.ts';
import { type LockedEnvelope, lockEnvelope } from './lock-envelope.ts';
import type { NotificationRow, ViewedSigner } from './signer-view.ts';
import { readTrail, type TrailEvent } from './trail.ts';

export interface EnvelopeFilter {
  status?: EnvelopeStatus;
  circuitUuid?: string;
  beforeId?: string;
  limit: number;
}

/** The envelopes of every tenant. */
export class Envelopes {
  constructor(private readonly database: Database) {}

  /** One envelope by its TypeID, with its signers. Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<EnvelopeFile> {
    const uuid = envelopeUuid(id);
    return this.database.snapshot(tenantId, async (tx) => {
      const [envelope] = await rowsOf(tx, tenantId, uuid);
      const [file] = await filesOf(tx, tenantId, envelope ? [envelope] : []);
      if (!file) throw new NotFound();
      return file;
    });
  }

  /** The same, without the signers: what the download of the document reads. */
  async findRow(tenantId: string, id: string): Promise<EnvelopeRow> {
    const uuid = envelopeUuid(id);
    const [envelope] = await this.database.tenant(tenantId, (tx) => rowsOf(tx, tenantId, uuid));
    if (!envelope) throw new NotFound();
    return envelope;
  }

  /** Newest first, before a UUID. */
  list(tenantId: string, { status, circuitUuid, beforeId, limit }: EnvelopeFilter): Promise<EnvelopeFile[]> {
    return this.database.snapshot(tenantId, async (tx) => {
      const envelopes = await tx.query<EnvelopeRow>(
        `select * from signing.envelope
          where tenant_id = $1 and ($2::text is null or status = $2) and ($3::uuid is null or circuit_id = $3)
            and ($4::uuid is null or id < $4)
          order by id desc limit $5`,
        [tenantId, status ?? null, circuitUuid ?? null, beforeId ?? null, limit],
      );
      return filesOf(tx, tenantId, envelopes);
    });
  }

  /** The trail of an envelope, ascending, after a `seq`. Throws NotFound. */
  trail(tenantId: string, id: string, page: { afterSeq: number; limit: number }): Promise<TrailEvent[]> {
    const uuid = envelopeUuid(id);
    return this.database.tenant(tenantId, async (tx) => {
      const [envelope] = await rowsOf(tx, tenantId, uuid);
      if (!envelope) throw new NotFound();
      return readTrail(tx, tenantId, uuid, page);
    });
  }

  /** Does something with an envelope whose row is locked. Throws NotFound. */
  change<T>(tenantId: string, id: string, work: (locked: LockedEnvelope, tx: Tx) => Promise<T>): Promise<T> {
    const uuid = envelopeUuid(id);
    return this.database.tenant(tenantId, async (tx) => work(await lockEnvelope(tx, tenantId, uuid), tx));
  }

  /** Ids of envelopes whose time is over, of any tenant, the longest over first. */
  overdue(limit: number): Promise<{ tenant_id: string; id: string }[]> {
    return this.database.query('select tenant_id, id from signing.overdue_envelopes($1)', [limit]);
  }
}

function envelopeUuid(id: string): string {
  const uuid = uuidOf('env', id);
  if (uuid === null) throw new NotFound();
  return uuid;
}

function rowsOf(tx: Tx, tenantId: string, uuid: string): Promise<EnvelopeRow[]> {
  return tx.query<EnvelopeRow>('select * from signing.envelope where tenant_id = $1 and id = $2', [tenantId, uuid]);
}

/** Envelopes with their signers and the latest that was written to each. */
export async function filesOf(tx: Tx, tenantId: string, envelopes: EnvelopeRow[]): Promise<EnvelopeFile[]> {
  if (envelopes.length === 0) return [];
  const ids = envelopes.map(({ id }) => id);
  const signers = await tx.query<ViewedSigner>(
    `select id, envelope_id, role, email, name, ord, status, auth, auth_done, viewed_at, document_shown_at, link_stopped_at, consented_at, authenticated_at, signed_at,
        declined_at, decline_reason, reminded_at, person_salt
       from signing.envelope_signer where tenant_id = $1 and envelope_id = any ($2) order by ord, role`,
    [tenantId, ids],
  );
  const notifications = await tx.query<NotificationRow>(
    `select distinct on (signer_id) signer_id, kind, created_at, sent_at, failed_at, failure from signing.signer_mail
      where tenant_id = $1 and signer_id = any ($2) and kind in ('invitation', 'reminder')
        and failure is distinct from 'not_needed'
      order by signer_id, created_at desc`,
    [tenantId, signers.map(({ id }) => id)],
  );
  return envelopes.map((envelope) => ({
    envelope,
    signers: signers.filter(({ envelope_id }) => envelope_id === envelope.id),
    notifications,
  }));
}
