import { sqlState, type Tx } from '@constancia/persistence';
import type { SecretBox } from '@constancia/kernel';
import { AnswerErasedError, KeyReusedError, RequestStillRunningError } from './errors.ts';
import type { IdempotencyKey } from './idempotency-key.entity.ts';
import { type AnswerOwner, openOwned, OWNED, ownerBytes, type OwnerKey, sealOwned } from './owned-answers.ts';
import { contextOf } from './sealed-answers.ts';

/** A final answer, as first given. Body is the exact text that was sent. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request that carried an Idempotency-Key. */
export interface IdempotentRequest {
  /** UUID, lower-case. */
  key: string;
  /** From requestFingerprint. */
  fingerprint: Buffer;
}

/** What a request is answered with: the answer of its own work, or the one that was kept for its key. */
export interface OnceResult {
  answer: StoredResponse;
  replayed: boolean;
}

/** What is read of a row. */
export type StoredRow = Pick<IdempotencyKey, 'fingerprint' | 'status' | 'headers' | 'body' | 'sealed'>;

/** How an answer is stored: as it is, sealed with the service's secret (it carries a once-only secret), or with its owner's key. */
export interface Protection {
  secret?: boolean;
  /** UUID of the person whom the answer is about. */
  owner?: string;
}

/** The columns that keep an answer. */
export type StoredColumns = Omit<StoredRow, 'fingerprint'>;

/**
 * Idempotency for work in a transaction of its own: claim first, complete before the commit. The claim is a row that the
 * same transaction writes, so a second request with the key waits for the first one's commit (2 s at most), and a crash
 * leaves no claim behind. Never in Redis: it could not commit with the debit.
 */
export class Idempotency {
  constructor(
    private readonly schema: string,
    private readonly secrets: SecretBox,
    private readonly ownerKey: OwnerKey = () => Promise.resolve(null),
  ) {}

  /**
   * Claims a key for this transaction. Answers null when the work is to be done, the stored answer when it was done before.
   * Throws KeyReusedError when the key belongs to another request, RequestStillRunningError, AnswerErasedError when the answer
   * was erased with its owner.
   */
  async claim(tx: Tx, tenantId: string, request: IdempotentRequest): Promise<StoredResponse | null> {
    await tx.query(`set local lock_timeout = '2s'`);
    try {
      const claimed = await tx.query(
        `insert into ${this.schema}.idempotency_key as k (tenant_id, key, fingerprint) values ($1, $2, $3)
         on conflict (tenant_id, key) do update
           set fingerprint = excluded.fingerprint, status = null, body = null, headers = '{}', sealed = false,
               created_at = now(), expires_at = now() + interval '24 hours'
           where k.expires_at <= now()
         returning 1`,
        [tenantId, request.key, request.fingerprint],
      );
      if (claimed.length > 0) return null;
    } catch (error) {
      if (sqlState(error) === '55P03') throw new RequestStillRunningError();
      throw error;
    } finally {
      await tx.query(`set local lock_timeout = '10s'`).catch(() => undefined);
    }
    const [row] = await tx.query<StoredRow>(
      `select fingerprint, status, headers, body, sealed from ${this.schema}.idempotency_key where tenant_id = $1 and key = $2`,
      [tenantId, request.key],
    );
    if (!row) throw new RequestStillRunningError();
    return this.answerOf(tx, tenantId, request, row);
  }

  /**
   * Carries work out once: claims the key, and keeps what the work returns as the JSON answer, in the work's own transaction. Without a
   * key the work is carried out each time. Throws as claim does.
   */
  async once(
    tx: Tx,
    tenantId: string,
    request: IdempotentRequest | undefined,
    { status, work, ...protection }: Protection & { status: number; work: () => Promise<object> },
  ): Promise<OnceResult> {
    const earlier = request && (await this.claim(tx, tenantId, request));
    if (earlier) return { answer: earlier, replayed: true };
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    const answer = { status, headers, body: JSON.stringify(await work()) };
    if (request) await this.complete(tx, tenantId, request.key, answer, protection);
    return { answer, replayed: false };
  }

  /** Keeps the answer with the claim. One whose owner's key is gone is not kept: the claim is taken back. */
  async complete(
    tx: Tx,
    tenantId: string,
    key: string,
    response: StoredResponse,
    protection: Protection = {},
  ): Promise<void> {
    const columns = await this.protectedColumns(tx, tenantId, key, response, protection);
    if (!columns) return this.unclaim(tx, tenantId, key);
    await tx.query(
      `update ${this.schema}.idempotency_key set status = $3, headers = $4, body = $5, sealed = $6 where tenant_id = $1 and key = $2`,
      [tenantId, key, columns.status, JSON.stringify(columns.headers), columns.body, columns.sealed],
    );
  }

  /** The stored answer to a request, without claiming its key; null when the key is not in use. Throws as claim does. */
  async find(tx: Tx, tenantId: string, request: IdempotentRequest): Promise<StoredResponse | null> {
    const [row] = await tx.query<StoredRow>(
      `select fingerprint, status, headers, body, sealed from ${this.schema}.idempotency_key
        where tenant_id = $1 and key = $2 and expires_at > now()`,
      [tenantId, request.key],
    );
    return row ? this.answerOf(tx, tenantId, request, row) : null;
  }

  /** Takes a claim of this transaction back: the code that ends the work stores its answer, in another transaction. */
  async unclaim(tx: Tx, tenantId: string, key: string): Promise<void> {
    await tx.query(`delete from ${this.schema}.idempotency_key where tenant_id = $1 and key = $2`, [tenantId, key]);
  }

  /** Keeps the answer to a request that holds no claim, unless the key has been used since or the owner's key is gone. */
  async keep(
    tx: Tx,
    tenantId: string,
    request: IdempotentRequest,
    response: StoredResponse,
    protection: Protection = {},
  ): Promise<void> {
    const columns = await this.protectedColumns(tx, tenantId, request.key, response, protection);
    if (!columns) return;
    await tx.query(
      `insert into ${this.schema}.idempotency_key (tenant_id, key, fingerprint, status, headers, body, sealed)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [
        tenantId,
        request.key,
        request.fingerprint,
        columns.status,
        JSON.stringify(columns.headers),
        columns.body,
        columns.sealed,
      ],
    );
  }

  /**
   * Erases the answers of an owner, in the caller's transaction. Their keys stay used until they expire: a repetition is neither
   * answered nor carried out again. What was asked is forgotten too, since a digest of it could be guessed.
   */
  async eraseOwner(tx: Tx, tenantId: string, ownerId: string): Promise<void> {
    await this.erase(tx, tenantId, `${OWNED} and substring(body from 1 for 16) = $2`, ownerBytes(ownerId));
  }

  /** The same for the answers that an earlier release stored as they were and that contain this text, such as an identifier. */
  async eraseContaining(tx: Tx, tenantId: string, text: string): Promise<void> {
    await this.erase(tx, tenantId, 'not sealed and position($2 in body) > 0', Buffer.from(text));
  }

  /** The columns that keep an answer, by the key at hand. */
  columnsOf(
    tenantId: string,
    key: string,
    { status, headers, body }: StoredResponse,
    { secret = false, owner }: { secret?: boolean; owner?: AnswerOwner },
  ): StoredColumns {
    if (owner) {
      const text = JSON.stringify({ status, headers, body });
      return { status: null, headers: {}, body: sealOwned(owner, tenantId, key, text), sealed: true };
    }
    const bytes = secret ? this.secrets.seal(body, contextOf(tenantId, key)) : Buffer.from(body);
    return { status, headers, body: bytes, sealed: secret };
  }

  /** Reads a stored row back as the first answer; throws when it answers another request, or none yet. */
  async answerOf(tx: Tx | null, tenantId: string, request: IdempotentRequest, row: StoredRow): Promise<StoredResponse> {
    const { status, headers, body, sealed } = row;
    if (sealed && status === null && body === null) throw new AnswerErasedError();
    if (!row.fingerprint.equals(request.fingerprint)) throw new KeyReusedError(request.key);
    if (body === null) throw new RequestStillRunningError();
    if (status !== null) {
      const bytes = sealed ? this.secrets.open(body, contextOf(tenantId, request.key)) : body;
      return { status, headers, body: bytes.toString('utf8') };
    }
    const text = await openOwned(this.ownerKey, { tx, tenantId, key: request.key, body });
    if (text === null) throw new AnswerErasedError();
    return JSON.parse(text) as StoredResponse;
  }

  private async protectedColumns(
    tx: Tx,
    tenantId: string,
    key: string,
    response: StoredResponse,
    { secret, owner }: Protection,
  ): Promise<StoredColumns | null> {
    if (owner === undefined) return this.columnsOf(tenantId, key, response, { secret });
    const ownerKey = await this.ownerKey(tx, tenantId, owner);
    return ownerKey && this.columnsOf(tenantId, key, response, { owner: { id: owner, key: ownerKey } });
  }

  private async erase(tx: Tx, tenantId: string, condition: string, parameter: Buffer): Promise<void> {
    await tx.query(
      `update ${this.schema}.idempotency_key
          set status = null, headers = '{}', body = null, sealed = true, fingerprint = decode(repeat('00', 32), 'hex')
        where tenant_id = $1 and ${condition}`,
      [tenantId, parameter],
    );
  }
}
