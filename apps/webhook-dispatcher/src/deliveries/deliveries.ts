import { backoffMs, Coalescer, retry, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import type { Outcome } from './outcome.ts';
import type { Posted } from './post.ts';

/** How long a claimed delivery belongs to who claimed it. Longer than START_WITHIN_MS (lanes) and a whole attempt. */
const LEASE_SECONDS = 20;

/** A delivery that this process may attempt now. */
export interface ClaimedDelivery {
  delivery_id: string;
  endpoint_id: string;
  tenant_id: string;
  event_id: string;
  lease_token: string;
  /** Attempts since it was last put in line: the position in the schedule. */
  schedule_step: number;
  /** All attempts. More than schedule_step when it was replayed. */
  attempts: number;
  /** Its endpoint gets one at a time at present. */
  failing: boolean;
  url: string;
  /** Null when retention has taken the event. */
  body: string | null;
  traceparent: string | null;
  webhook_secret: Buffer;
  previous_webhook_secret: Buffer | null;
  /** It was due before its endpoint could be sent anything: disabled or paused until a moment ago. */
  waited: boolean;
}

interface Claim {
  endpointId: string;
  take: number;
}

/** As platform.record_attempts takes it; what is null there is left out here. */
interface ResultRow extends Record<string, unknown> {
  delivery_id: string;
  endpoint_id: string;
  lease_token: string;
  outcome: Outcome['outcome'] | 'released';
}

/** A statement that claims for many endpoints makes each of them wait for all. */
const CLAIMS_AT_ONCE = 16;
/** Together about as long as a lease lasts. */
const RECORD_ATTEMPTS = 12;
const RECORD_PAUSES = { firstMs: 200, longestMs: 2_000 };

/**
 * The deliveries in Postgres, as the loop sees them. Claims of many endpoints share a statement, and so do results (group
 * commit): while one is under way the others gather.
 */
@Injectable()
export class Deliveries {
  private readonly claims: Coalescer<Claim, ClaimedDelivery[]>;
  private readonly results: Coalescer<ResultRow, boolean>;

  constructor(private readonly database: Database) {
    this.claims = new Coalescer((claims) => this.runClaims(claims), { maxBatch: CLAIMS_AT_ONCE, maxConcurrent: 3 });
    this.results = new Coalescer((rows) => this.runResults(rows), { maxBatch: 256, maxConcurrent: 2 });
  }

  /** Leases up to `take` due deliveries of an endpoint, the longest due first. */
  claim(endpointId: string, take: number): Promise<ClaimedDelivery[]> {
    return this.claims.submit({ endpointId, take });
  }

  /** Writes what came of an attempt. False when the lease was lost meanwhile: then somebody else's attempt counts. */
  record(delivery: ClaimedDelivery, posted: Posted, outcome: Outcome): Promise<boolean> {
    return this.results.submit({
      delivery_id: delivery.delivery_id,
      endpoint_id: delivery.endpoint_id,
      lease_token: delivery.lease_token,
      outcome: outcome.outcome,
      retry_ms: outcome.retryMs ?? undefined,
      pause_ms: outcome.pauseMs === null ? undefined : Math.ceil(outcome.pauseMs),
      gone: outcome.gone || undefined,
      id: uuidv7(),
      at: posted.at,
      duration_ms: posted.durationMs,
      first_byte_ms: posted.firstByteMs ?? undefined,
      url: delivery.url,
      http_status: posted.httpStatus ?? undefined,
      error_code: outcome.errorCode ?? undefined,
      error_detail: outcome.errorDetail ?? undefined,
      response_excerpt: posted.excerpt ?? undefined,
    });
  }

  /** Gives a delivery back that was not attempted. */
  release(delivery: ClaimedDelivery): Promise<boolean> {
    const { delivery_id, endpoint_id, lease_token } = delivery;
    return this.results.submit({ delivery_id, endpoint_id, lease_token, outcome: 'released' });
  }

  /** Endpoints with something to do: due, or deleted (closed) with deliveries that still wait for them. */
  dueEndpoints(limit: number): Promise<{ endpoint_id: string; state: 'due' | 'closed' }[]> {
    return this.database.query('select endpoint_id, state from platform.due_endpoints($1)', [limit]);
  }

  async failClosed(endpointIds: string[], limit: number): Promise<number> {
    const [row] = await this.database.query<{ failed: number }>('select platform.fail_closed($1, $2) as failed', [
      endpointIds,
      limit,
    ]);
    return row?.failed ?? 0;
  }

  async lag(): Promise<{ oldestSeconds: number; overdueSeconds: number; open: number }> {
    const [row] = await this.database.query<{
      oldest_undelivered_seconds: number;
      most_overdue_seconds: number;
      open_deliveries: number;
    }>('select * from platform.delivery_lag()');
    return {
      oldestSeconds: row?.oldest_undelivered_seconds ?? 0,
      overdueSeconds: row?.most_overdue_seconds ?? 0,
      open: row?.open_deliveries ?? 0,
    };
  }

  private async runClaims(claims: Claim[]): Promise<ClaimedDelivery[][]> {
    const rows = await this.database.prepared<ClaimedDelivery>(
      'claim_deliveries_v2',
      'select * from platform.claim_deliveries_v2($1, $2, $3)',
      [claims.map((claim) => claim.endpointId), claims.map((claim) => claim.take), LEASE_SECONDS],
    );
    const byEndpoint = new Map<string, ClaimedDelivery[]>(claims.map((claim) => [claim.endpointId, []]));
    for (const row of rows) byEndpoint.get(row.endpoint_id)?.push(row);
    return claims.map((claim) => byEndpoint.get(claim.endpointId) ?? []);
  }

  /** A result that cannot be written now is worth waiting for, as long as the lease lasts. */
  private async runResults(rows: ResultRow[]): Promise<boolean[]> {
    const sql = 'select record_attempts as id from platform.record_attempts($1, $2, $3)';
    const params = [JSON.stringify(rows), [...new Set(rows.map((row) => row.endpoint_id))], rows.some(isFailure)];
    const written = await retry(() => this.database.prepared<{ id: string }>('record_attempts', sql, params), {
      pauseMs: (_, attempt) => (attempt < RECORD_ATTEMPTS ? backoffMs(attempt, RECORD_PAUSES) : null),
    });
    const ids = new Set(written.map((row) => row.id));
    return rows.map((row) => ids.has(row.delivery_id));
  }
}

const isFailure = ({ outcome }: ResultRow) => outcome === 'retry' || outcome === 'failed';
