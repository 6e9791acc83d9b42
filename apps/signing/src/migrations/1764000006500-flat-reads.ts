import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators see of seals costs the same however many documents were sealed. */
export class SigningFlatReads1764000006500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [INDEXES, SEALS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language sql stable security definer set search_path = signing, pg_temp';

const INDEXES = `
  create index if not exists signature_request_failed_newest on signing.signature_request (id) where status = 'failed';
  create index if not exists envelope_failed_newest on signing.envelope (id) where status = 'failed'`;

const ofRequests = (asked: string, status: string): string => `
    (select r.id, 'signature_request', r.tenant_id, r.status, r.attempts, r.faults, r.failure_code, r.failure_reason, r.created_at,
            case when r.status = 'pending' then r.retry_at end, r.lease_until
       from signature_request r
      where ${asked} and r.status = '${status}' and (p_before is null or r.id < p_before)
      order by r.id desc limit p_limit)`;

const ofEnvelopes = (asked: string, status: string): string => `
    (select e.id, 'envelope', e.tenant_id, e.status, e.attempts, e.faults, coalesce(e.failure_code, e.last_setback), e.failure_reason,
            e.created_at, case when e.status = 'sealing' then e.retry_at end, e.lease_until
       from envelope e
      where ${asked} and e.status = '${status}' and (p_before is null or e.id < p_before)
      order by e.id desc limit p_limit)`;

const [OPEN, FAILED] = [`p_status = 'open'`, `p_status is distinct from 'open'`];

/** As before. Each status is written out, so that its partial index is used; of those that are not asked for nothing is read. */
const SEALS = `
  create or replace function signing.ops_seals(p_status text, p_before uuid, p_limit int)
  returns table (id uuid, kind text, tenant_id uuid, status text, attempts int, faults int, last_setback text, failure_reason text,
                 created_at timestamptz, next_attempt_at timestamptz, leased_until timestamptz) ${AS_OWNER} as $$
    ${[
      ofRequests(OPEN, 'pending'),
      ofRequests(FAILED, 'failed'),
      ofEnvelopes(OPEN, 'sealing'),
      ofEnvelopes(FAILED, 'failed'),
    ].join('\n    union all')}
    order by 1 desc limit p_limit
  $$`;
