import type { ListCode } from '@constancia/reference-data';
import type { Database } from '@constancia/persistence';

/** How long a claimed job belongs to who claimed it; prolonged with every batch. */
const LEASE_SECONDS = 30;
/**
 * A screening that began with the version before may end so long after the next one became active: a request's deadline, and the time in
 * which the slowest process notices.
 */
const LATE_SECONDS = 60;

/** Where a pass stands: the key of the last subject that was looked at. */
export interface SubjectKey {
  validation_code: string;
  subject_type: string;
  subject_ref: string;
}

/** A list of a tenant that is to be screened with again. */
export interface RescreenJob {
  id: string;
  tenant_id: string;
  list: ListCode;
  /** The tenant's own list, not the operator's. */
  own: boolean;
  /** Null: there was none before. */
  from_version: string | null;
  to_version: string;
  /** late: only subjects that were screened while the version changed. */
  pass: 'first' | 'late';
  position: SubjectKey | null;
  /** This one included. */
  attempts: number;
  requested_at: Date;
  lease_token: string;
  /** Of what changed the list. */
  traceparent: string | null;
}

/** What one batch came to. */
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
export class RescreenJobs {
  constructor(private readonly database: Database) {}

  /** The job that is longest due, of a tenant whose monitoring is on. */
  async claim(): Promise<RescreenJob | undefined> {
    const [job] = await this.database.query<RescreenJob>('select * from compliance.claim_rescreen_v2($1)', [
      LEASE_SECONDS,
    ]);
    return job;
  }

  advance(job: RescreenJob, { position, subjects, affected, rescreened }: Progress): Promise<boolean> {
    return this.fenced('advance_rescreen($1, $2, $3, $4, $5, $6, $7)', job, [
      JSON.stringify(position),
      subjects,
      affected,
      rescreened,
      LEASE_SECONDS,
    ]);
  }

  /** The first pass is followed by the late one, the late one by nothing. */
  finish(job: RescreenJob): Promise<boolean> {
    return this.fenced('finish_rescreen($1, $2, $3)', job, [LATE_SECONDS]);
  }

  defer(job: RescreenJob, delaySeconds: number, trouble: string): Promise<boolean> {
    return this.fenced('defer_rescreen($1, $2, $3, $4)', job, [delaySeconds, trouble]);
  }

  async backlog(): Promise<{ waiting: number; oldestSeconds: number }> {
    const [row] = await this.database.query<{ waiting: number; oldest_seconds: number }>(
      'select * from compliance.rescreen_backlog()',
    );
    return { waiting: row?.waiting ?? 0, oldestSeconds: row?.oldest_seconds ?? 0 };
  }

  private async fenced(call: string, { id, lease_token }: RescreenJob, params: unknown[]): Promise<boolean> {
    const [row] = await this.database.query<{ ours: boolean }>(`select compliance.${call} as ours`, [
      id,
      lease_token,
      ...params,
    ]);
    return row?.ours ?? false;
  }
}
