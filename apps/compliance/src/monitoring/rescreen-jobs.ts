import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import type { RescreenJob, SubjectKey } from './rescreen-job.entity.ts';

/** How long a claimed job belongs to who claimed it; prolonged with every batch. */
const LEASE_SECONDS = 30;
/**
 * A screening that began with the version before may end so long after the next one became active: a request's deadline, and the time in
 * which the slowest process notices.
 */
const LATE_SECONDS = 60;

/** A claimed one; `attempts` counts this one too, `traceparent` is of what changed the list. */
// prettier-ignore
export type ClaimedJob = Pick<
  RescreenJob,
  | 'id' | 'tenant_id' | 'list' | 'own' | 'from_version' | 'to_version' | 'pass' | 'position' | 'attempts'
  | 'requested_at' | 'traceparent'
> & { lease_token: string };

/** The result of one batch. */
export interface Progress {
  position: SubjectKey;
  subjects: number;
  affected: number;
  rescreened: number;
}

/**
 * The jobs in Postgres. advance, finish and defer answer false when the lease was lost meanwhile: then another process goes on with
 * the job.
 */
@Injectable()
export class RescreenJobs {
  constructor(private readonly database: Database) {}

  /** The job that is longest due, of a tenant whose monitoring is on. */
  async claim(): Promise<ClaimedJob | undefined> {
    const [job] = await this.database.query<ClaimedJob>('select * from compliance.claim_rescreen_v2($1)', [
      LEASE_SECONDS,
    ]);
    return job;
  }

  advance(job: ClaimedJob, { position, subjects, affected, rescreened }: Progress): Promise<boolean> {
    return this.fenced('advance_rescreen($1, $2, $3, $4, $5, $6, $7)', job, [
      JSON.stringify(position),
      subjects,
      affected,
      rescreened,
      LEASE_SECONDS,
    ]);
  }

  /** The first pass is followed by the late one, the late one by nothing. */
  finish(job: ClaimedJob): Promise<boolean> {
    return this.fenced('finish_rescreen($1, $2, $3)', job, [LATE_SECONDS]);
  }

  defer(job: ClaimedJob, delaySeconds: number, reason: string): Promise<boolean> {
    return this.fenced('defer_rescreen($1, $2, $3, $4)', job, [delaySeconds, reason]);
  }

  async backlog(): Promise<{ waiting: number; oldestSeconds: number }> {
    const [row] = await this.database.query<{ waiting: number; oldest_seconds: number }>(
      'select * from compliance.rescreen_backlog()',
    );
    return { waiting: row?.waiting ?? 0, oldestSeconds: row?.oldest_seconds ?? 0 };
  }

  private async fenced(call: string, { id, lease_token }: ClaimedJob, params: unknown[]): Promise<boolean> {
    const [row] = await this.database.query<{ ours: boolean }>(`select compliance.${call} as ours`, [
      id,
      lease_token,
      ...params,
    ]);
    return row?.ours ?? false;
  }
}
