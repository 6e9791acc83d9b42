import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace of what changed the list: the screenings that follow from it go on with that. */
const COLUMN = `alter table compliance.rescreen_job add column traceparent text`;

/** As the one without a trace, which the release before still calls. Of changes that become one job the last one's trace counts. */
const REQUEST = `
  create function compliance.request_rescreens(p_list text, p_owner uuid, p_from uuid, p_to uuid, p_traceparent text) returns integer
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    jobs integer;
  begin
    jobs := request_rescreens(p_list, p_owner, p_from, p_to);
    update rescreen_job j set traceparent = p_traceparent
     where j.list = p_list and j.own = (p_owner is not null) and j.to_version = p_to
       and j.status = 'pending' and j.pass = 'first' and j.attempts = 0;
    return jobs;
  end $$`;

/** claim_rescreen with the trace. */
const CLAIM = `
  create function compliance.claim_rescreen_v2(p_lease_seconds integer)
  returns table (id uuid, tenant_id uuid, list text, own boolean, from_version uuid, to_version uuid, pass text, "position" jsonb,
                 attempts integer, requested_at timestamptz, lease_token uuid, traceparent text)
  language sql volatile security definer set search_path = compliance, pg_temp as $$
    select c.id, c.tenant_id, c.list, c.own, c.from_version, c.to_version, c.pass, c."position", c.attempts, c.requested_at,
           c.lease_token, (select j.traceparent from rescreen_job j where j.id = c.id)
      from claim_rescreen(p_lease_seconds) c
  $$`;

const FUNCTIONS = `compliance.request_rescreens(text, uuid, uuid, uuid, text), compliance.claim_rescreen_v2(integer)`;

export class RescreenTraces1763700000960 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [COLUMN, REQUEST, CLAIM]) await runner.query(statement);
    await runner.query(`revoke all on function ${FUNCTIONS} from public`);
    await runner.query(`grant execute on function ${FUNCTIONS} to compliance_app`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function ${FUNCTIONS}`);
    await runner.query('alter table compliance.rescreen_job drop column traceparent');
  }
}
