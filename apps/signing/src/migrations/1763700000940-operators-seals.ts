import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators see of seals, whosever they are: how they stand, nothing of what is sealed or by whom. */
export class OperatorsSeals1763700000940 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [SEALS, SIGNATURE, ENVELOPE, WORK, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language sql stable security definer set search_path = signing, pg_temp';

/** Newest first; open: waiting for its seal. Both kinds come from small partial or state indexes. */
const SEALS = `
  create function signing.ops_seals(p_status text, p_before uuid, p_limit int)
  returns table (id uuid, kind text, tenant_id uuid, status text, attempts int, faults int, last_setback text, failure_reason text,
                 created_at timestamptz, next_attempt_at timestamptz, leased_until timestamptz) ${AS_OWNER} as $$
    (select r.id, 'signature_request', r.tenant_id, r.status, r.attempts, r.faults, r.failure_code, r.failure_reason, r.created_at,
            case when r.status = 'pending' then r.retry_at end, r.lease_until
       from signature_request r
      where r.status = case p_status when 'open' then 'pending' else 'failed' end and r.status in ('pending', 'failed')
        and (p_before is null or r.id < p_before)
      order by r.id desc limit p_limit)
    union all
    (select e.id, 'envelope', e.tenant_id, e.status, e.attempts, e.faults, coalesce(e.failure_code, e.last_setback), e.failure_reason,
            e.created_at, case when e.status = 'sealing' then e.retry_at end, e.lease_until
       from envelope e
      where e.status = case p_status when 'open' then 'sealing' else 'failed' end
        and (p_before is null or e.id < p_before)
      order by e.id desc limit p_limit)
    order by 1 desc limit p_limit
  $$`;

const SIGNATURE = `
  create function signing.ops_signature(p_id uuid)
  returns table (id uuid, tenant_id uuid, template_id uuid, status text, attempts int, faults int, strandings int, failure_code text,
                 failure_reason text, credits_debited int, credits_refunded int, created_at timestamptz, updated_at timestamptz,
                 signed_at timestamptz, retry_at timestamptz, lease_until timestamptz, traceparent text) ${AS_OWNER} as $$
    select r.id, r.tenant_id, r.template_id, r.status, r.attempts, r.faults, r.strandings, r.failure_code, r.failure_reason,
           r.credits_debited, r.credits_refunded, r.created_at, r.updated_at, r.signed_at, r.retry_at, r.lease_until, r.traceparent
      from signature_request r where r.id = p_id
  $$`;

/** With the types and times of its trail and the role of each; addresses, names and devices stay with the tenant. */
const ENVELOPE = `
  create function signing.ops_envelope(p_id uuid)
  returns table (id uuid, tenant_id uuid, circuit_id uuid, status text, attempts int, faults int, strandings int, last_setback text,
                 failure_code text, failure_reason text, credits_debited int, credits_refunded int, created_at timestamptz,
                 updated_at timestamptz, ended_at timestamptz, signed_at timestamptz, expires_at timestamptz, retry_at timestamptz,
                 lease_until timestamptz, traceparent text, events jsonb) ${AS_OWNER} as $$
    select e.id, e.tenant_id, e.circuit_id, e.status, e.attempts, e.faults, e.strandings, e.last_setback, e.failure_code,
           e.failure_reason, e.credits_debited, e.credits_refunded, e.created_at, e.updated_at, e.ended_at, e.signed_at, e.expires_at,
           e.retry_at, e.lease_until, e.traceparent,
           (select coalesce(jsonb_agg(jsonb_build_object('at', t.at, 'type', t.type, 'role', t.role) order by t.seq), '[]')
              from (select * from envelope_event x where x.envelope_id = e.id order by x.seq limit 500) t)
      from envelope e where e.id = p_id
  $$`;

const WORK = `
  create function signing.ops_work() returns table (kind text, open bigint, oldest_seconds double precision) ${AS_OWNER} as $$
    select 'signature-seal', count(*), coalesce(extract(epoch from now() - min(r.created_at)), 0)::double precision
      from signature_request r where r.status = 'pending'
    union all
    select 'envelope-seal', count(*), coalesce(extract(epoch from now() - min(e.updated_at)), 0)::double precision
      from envelope e where e.status = 'sealing'
  $$`;

const NAMES = ['ops_seals', 'ops_signature', 'ops_envelope', 'ops_work'].map((name) => `signing.${name}`).join(', ');

const GRANTS = `revoke all on function ${NAMES} from public; grant execute on function ${NAMES} to signing_app`;
