import { Conflict, UnprocessableEntity } from '@constancia/problem-json';
import { sqlState, type Tx } from '@constancia/persistence';
import type { SecretBox } from '@constancia/kernel';
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

export interface StoredRow {
  fingerprint: Buffer;
  status: number | null;
  headers: Record<string, string>;
  body: Buffer | null;
  sealed: boolean;
}

/**
 * Idempotency for work in a transaction of its own: claim first, complete before the commit. The claim is a row that the
 * same transaction writes, so a second request with the key waits for the first one's commit (2 s at the most), and a crash
 * leaves no claim behind. Never in Redis: it could not commit with the debit.
 */
export class Idempotency {
  constructor(
    private readonly schema: string,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Claims a key for this transaction. Answers null when the work is to be done, the stored answer when it was done before.
   * Throws UnprocessableEntity when the key belongs to another request, Conflict (Retry-After: 1) when that is still running.
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
      if (sqlState(error) === '55P03') throw stillRunning();
      throw error;
    } finally {
      await tx.query(`set local lock_timeout = '10s'`).catch(() => undefined);
    }
    const [row] = await tx.query<StoredRow>(
      `select fingerprint, status, headers, body, sealed from ${this.schema}.idempotency_key where tenant_id = $1 and key = $2`,
      [tenantId, request.key],
    );
    if (!row) throw stillRunning();
    return this.answerOf(tenantId, request, row);
  }

  /** Keeps the answer with the claim. A response that carries a once-only secret is stored encrypted. */
  async complete(tx: Tx, tenantId: string, key: string, response: StoredResponse, secret = false): Promise<void> {
    await tx.query(
      `update ${this.schema}.idempotency_key set status = $3, headers = $4, body = $5, sealed = $6 where tenant_id = $1 and key = $2`,
      [
        tenantId,
        key,
        response.status,
        JSON.stringify(response.headers),
        this.bodyOf(tenantId, key, response.body, secret),
        secret,
      ],
    );
  }

  /** The stored answer to a request, without claiming its key; null when the key is not in use. Throws as claim does. */
  async find(tx: Tx, tenantId: string, request: IdempotentRequest): Promise<StoredResponse | null> {
    const [row] = await tx.query<StoredRow>(
      `select fingerprint, status, headers, body, sealed from ${this.schema}.idempotency_key
        where tenant_id = $1 and key = $2 and expires_at > now()`,
      [tenantId, request.key],
    );
    return row ? this.answerOf(tenantId, request, row) : null;
  }

  /** Takes a claim of this transaction back: whoever ends the work will keep its answer, in another transaction. */
  async unclaim(tx: Tx, tenantId: string, key: string): Promise<void> {
    await tx.query(`delete from ${this.schema}.idempotency_key where tenant_id = $1 and key = $2`, [tenantId, key]);
  }

  /** Keeps the answer to a request that holds no claim, unless the key has been used since. */
  async keep(tx: Tx, tenantId: string, request: IdempotentRequest, response: StoredResponse): Promise<void> {
    await tx.query(
      `insert into ${this.schema}.idempotency_key (tenant_id, key, fingerprint, status, headers, body)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
      [
        tenantId,
        request.key,
        request.fingerprint,
        response.status,
        JSON.stringify(response.headers),
        Buffer.from(response.body),
      ],
    );
  }

  /** The bytes to store for a body. */
  bodyOf(tenantId: string, key: string, body: string, secret: boolean): Buffer {
    return secret ? this.secrets.seal(body, contextOf(tenantId, key)) : Buffer.from(body);
  }

  /** Reads a stored row back as the first answer; throws when it answers another request, or none yet. */
  answerOf(tenantId: string, request: IdempotentRequest, row: StoredRow): StoredResponse {
    if (!row.fingerprint.equals(request.fingerprint)) {
      throw new UnprocessableEntity(
        `Idempotency-Key ${request.key} was used for another request: send a new key, or the first request unchanged.`,
      );
    }
    if (row.status === null || row.body === null) throw stillRunning();
    const body = row.sealed ? this.secrets.open(row.body, contextOf(tenantId, request.key)) : row.body;
    return { status: row.status, headers: row.headers, body: body.toString('utf8') };
  }
}

/** Another request with this key is under way. */
export function stillRunning(): Conflict {
  return new Conflict(
    'A request with this Idempotency-Key is still running: try again after a second.',
    {},
    { 'Retry-After': '1' },
  );
}
