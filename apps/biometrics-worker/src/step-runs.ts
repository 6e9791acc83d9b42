import type { DocumentStepInput, FaceStepInput, StepOutcome } from '@constancia/contracts';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';

/** How long a claimed run belongs to who claimed it: a worker that dies costs its runs this long, and a sweep. */
export const LEASE_SECONDS = 10;
/** The store gives a run out so many times at most; attempts within one claim count towards the same bound. */
export const MOST_ATTEMPTS = 3;

interface Claim {
  /** UUIDs. */
  id: string;
  tenant_id: string;
  session_id: string;
  subject_id: string;
  attempt: number;
  lease_token: string;
  deadline_at: Date;
  /** How often it was claimed, this time included. */
  claims: number;
  /** Of the request that started it. */
  traceparent: string | null;
}

/** A run that this process works on now. */
export type ClaimedRun = Claim &
  ({ step_type: 'document'; input: DocumentStepInput } | { step_type: 'face'; input: FaceStepInput });

/** The result of a run, as it is written. */
export interface RunEnd {
  outcome: StepOutcome;
  /** A stable word; null for pass. */
  reason: string | null;
  /** Sealed under the subject's data key; null when there is nothing to tell. */
  resultSealed: Buffer | null;
  engine: string | null;
  modelVersion: string | null;
}

/** The runs of identity steps in Postgres, as the worker sees them. Every write is fenced by the lease. */
@Injectable()
export class StepRuns {
  constructor(private readonly database: Database) {}

  /** Leases runs that wait, the oldest first. */
  claim(limit: number): Promise<ClaimedRun[]> {
    return this.database.prepared('claim_step_runs_v2', 'select * from identity.claim_step_runs_v2($1, $2)', [
      limit,
      LEASE_SECONDS,
    ]);
  }

  /** Prolongs leases. Those that were lost meanwhile stay lost. */
  async extend(runs: readonly ClaimedRun[]): Promise<void> {
    await this.database.query(
      'select identity.extend_step_run(id, token, $3) from unnest($1::uuid[], $2::uuid[]) as run(id, token)',
      [runs.map(({ id }) => id), runs.map(({ lease_token }) => lease_token), LEASE_SECONDS],
    );
  }

  /** Writes the result of a run. False: the lease was lost, nothing was written and another's end counts. */
  async finish({ id, lease_token }: ClaimedRun, end: RunEnd): Promise<boolean> {
    const [row] = await this.database.query<{ ours: boolean }>(
      'select identity.finish_step_run($1, $2, $3, $4, $5, $6, $7) as ours',
      [id, lease_token, end.outcome, end.reason, end.resultSealed, end.engine, end.modelVersion],
    );
    return row?.ours ?? false;
  }

  async backlog(): Promise<{ waiting: number; oldestSeconds: number }> {
    const [row] = await this.database.query<{ waiting: number; oldest_seconds: number }>(
      'select * from identity.step_run_backlog()',
    );
    return { waiting: row?.waiting ?? 0, oldestSeconds: row?.oldest_seconds ?? 0 };
  }
}
