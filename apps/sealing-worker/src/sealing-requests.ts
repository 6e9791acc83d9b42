import type { EventRecord } from '@constancia/events';
import { Coalescer } from '@constancia/kernel';
import type { Placeholder } from '@constancia/pdf-sealing';
import type { Database } from '@constancia/persistence';
import { DatabaseUnavailable } from '@constancia/problem-json';

/** How long a claimed request belongs to who claimed it. A worker that dies costs its requests this long, and a sweep. */
export const LEASE_SECONDS = 20;

/** A request that this process seals now. */
export interface ClaimedRequest {
  id: string;
  tenant_id: string;
  template_id: string;
  subject_ref: string;
  /** Personal data: never logged, never in an error. */
  merge_data: Record<string, string>;
  credits_debited: number;
  created_at: Date;
  /** This one included. */
  attempts: number;
  /** Those of the earlier attempts that a fault of our own ended. */
  faults: number;
  /** Workers that died over it, or lost its lease. */
  strandings: number;
  traceparent: string | null;
  lease_token: string;
  /** The last attempt was such a one. */
  stranded: boolean;
  /** Null when there is no such template, which nothing can bring about. */
  template_sha256: Buffer | null;
  template_key: string;
  template_bytes: number;
  placeholders: Placeholder[];
}

/** What a sealed document is, and how it is proved. */
export interface Seal {
  sha256: Buffer;
  key: string;
  size: number;
  kmsKeyArn: string;
  signature: Buffer;
  algorithm: string;
  signedAt: Date;
}

/** A request that is signed now, as complete_sealings takes it. */
type Completion = Record<string, unknown> & { id: string };

/** What came of a completion: whether the lease was still held, or why it could not be written. */
type Completed = boolean | Error;

const MAX_COMPLETIONS = 64;

/**
 * The signature requests in Postgres, as the sealing run sees them. complete, fail and defer answer false when the lease was lost
 * meanwhile: then nothing was written, and another run's result counts.
 */
export class SealingRequests {
  /** Requests that become signed while others are being written share the next transaction. */
  private readonly completions: Coalescer<Completion, Completed>;

  constructor(private readonly database: Database) {
    this.completions = new Coalescer((batch) => this.completeAll(batch), {
      maxBatch: MAX_COMPLETIONS,
      maxConcurrent: 1,
    });
  }

  /** Leases requests that are due, the longest due first. */
  claim(limit: number): Promise<ClaimedRequest[]> {
    return this.database.prepared('claim_sealing', 'select * from signing.claim_sealing($1, $2)', [
      limit,
      LEASE_SECONDS,
    ]);
  }

  /** Prolongs leases; answers the ids that are still ours. */
  async extend(requests: readonly ClaimedRequest[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      'select extend_sealing_lease as id from signing.extend_sealing_lease($1, $2, $3)',
      [requests.map(({ id }) => id), requests.map(({ lease_token }) => lease_token), LEASE_SECONDS],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async complete(request: ClaimedRequest, seal: Seal, event: EventRecord): Promise<boolean> {
    const completed = await this.completions.submit({
      id: request.id,
      lease_token: request.lease_token,
      document_sha256: bytea(seal.sha256),
      document_key: seal.key,
      document_size: seal.size,
      kms_key_arn: seal.kmsKeyArn,
      signature: bytea(seal.signature),
      signature_algorithm: seal.algorithm,
      signed_at: seal.signedAt,
      event,
    });
    if (completed instanceof Error) throw completed;
    return completed;
  }

  fail(
    request: ClaimedRequest,
    failure: { code: string; reason: string; refund: boolean },
    event: EventRecord,
  ): Promise<boolean> {
    return this.fenced('signing.fail_sealing($1, $2, $3, $4, $5, $6)', [
      request.id,
      request.lease_token,
      failure.code,
      failure.reason,
      failure.refund,
      JSON.stringify(event),
    ]);
  }

  /** @param fault whether a fault of our own ended the attempt */
  defer(request: ClaimedRequest, delayMs: number, fault: boolean): Promise<boolean> {
    return this.fenced('signing.defer_sealing($1, $2, $3, $4)', [
      request.id,
      request.lease_token,
      Math.ceil(delayMs),
      fault,
    ]);
  }

  async backlog(): Promise<{ waiting: number; oldestSeconds: number }> {
    const [row] = await this.database.query<{ waiting: string; oldest_seconds: number }>(
      'select * from signing.sealing_backlog()',
    );
    return { waiting: Number(row?.waiting ?? 0), oldestSeconds: row?.oldest_seconds ?? 0 };
  }

  /** Of several, one that cannot be written keeps the others from nothing: then each is written by itself. */
  private async completeAll(batch: Completion[]): Promise<Completed[]> {
    try {
      const rows = await this.database.prepared<{ id: string }>(
        'complete_sealings',
        'select complete_sealings as id from signing.complete_sealings($1)',
        [JSON.stringify(batch)],
      );
      const signed = new Set(rows.map(({ id }) => id));
      return batch.map(({ id }) => signed.has(id));
    } catch (error) {
      if (batch.length === 1 || error instanceof DatabaseUnavailable) return batch.map(() => error as Error);
      const each: Completed[] = [];
      for (const one of batch) each.push(...(await this.completeAll([one])));
      return each;
    }
  }

  private async fenced(call: string, params: unknown[]): Promise<boolean> {
    const [row] = await this.database.query<{ ours: boolean }>(`select ${call} as ours`, params);
    return row?.ours ?? false;
  }
}

const bytea = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;
