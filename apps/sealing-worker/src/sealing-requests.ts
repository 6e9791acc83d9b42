import type { EventRecord } from '@constancia/events';
import type { Placeholder } from '@constancia/pdf-sealing';
import type { Database } from '@constancia/persistence';

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
  traceparent: string | null;
  lease_token: string;
  /** A worker claimed it before and died, or lost its lease. */
  stranded: boolean;
  /** Null when there is no such template, which nothing can bring about. */
  template_sha256: Buffer | null;
  template_key: string;
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

/**
 * The signature requests in Postgres, as the sealing run sees them. complete, fail and defer answer false when the lease was lost
 * meanwhile: then nothing was written, and another run's result counts.
 */
export class SealingRequests {
  constructor(private readonly database: Database) {}

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

  complete(request: ClaimedRequest, seal: Seal, event: EventRecord): Promise<boolean> {
    return this.fenced('signing.complete_sealing($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', [
      request.id,
      request.lease_token,
      seal.sha256,
      seal.key,
      seal.size,
      seal.kmsKeyArn,
      seal.signature,
      seal.algorithm,
      seal.signedAt,
      JSON.stringify(event),
    ]);
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

  defer(request: ClaimedRequest, delayMs: number): Promise<boolean> {
    return this.fenced('signing.defer_sealing($1, $2, $3)', [request.id, request.lease_token, Math.ceil(delayMs)]);
  }

  async backlog(): Promise<{ waiting: number; oldestSeconds: number }> {
    const [row] = await this.database.query<{ waiting: string; oldest_seconds: number }>(
      'select * from signing.sealing_backlog()',
    );
    return { waiting: Number(row?.waiting ?? 0), oldestSeconds: row?.oldest_seconds ?? 0 };
  }

  private async fenced(call: string, params: unknown[]): Promise<boolean> {
    const [row] = await this.database.query<{ ours: boolean }>(`select ${call} as ours`, params);
    return row?.ours ?? false;
  }
}
