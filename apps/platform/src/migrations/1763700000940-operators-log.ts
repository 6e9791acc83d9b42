import { type ChainedTable, hashChain } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What operators did: one chain for the whole deployment, written by every module in the transaction of the act itself
 * (platform_v1.record_act), read by the platform's operators' API alone.
 */
export const OPERATORS_LOG: ChainedTable = {
  schema: 'platform',
  table: 'operator_act',
  owner: null,
  members: ['operator', 'tenant_id'],
};

export class OperatorsLog1763700000940 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [hashChain(OPERATORS_LOG), RECORD_ACT, LIST_ACTS, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** p_data: canonical JSON of an object (libs/persistence, recordAct). Answers the act's place and hash. */
const RECORD_ACT = `
  create function platform_v1.record_act(p_type text, p_operator text, p_tenant_id uuid, p_data text)
  returns table (seq int, hash text)
  language plpgsql security definer set search_path = platform, pg_temp as $$
  declare
    act platform.operator_act;
  begin
    if p_type !~ '^[a-z]+[.][a-z_]+$' or p_operator is null or p_operator = '' then
      raise exception 'an act has a type and an operator' using errcode = 'invalid_parameter_value';
    end if;
    act := append_operator_act(jsonb_build_object(
      'type', p_type, 'operator', p_operator, 'tenant_id', p_tenant_id, 'data', p_data));
    return query select act.seq, act.hash;
  end $$`;

/** Newest first below a place in the log, or oldest first above one. */
const LIST_ACTS = `
  create function platform.ops_acts(p_operator text, p_type text, p_before int, p_limit int) returns setof platform.operator_act
  language sql stable security definer set search_path = platform, pg_temp as $$
    select * from operator_act a
     where (p_operator is null or a.operator = p_operator) and (p_type is null or a.type = p_type)
       and (p_before is null or a.seq < p_before)
     order by a.seq desc limit p_limit
  $$;
  create function platform.ops_acts_after(p_after int, p_limit int) returns setof platform.operator_act
  language sql stable security definer set search_path = platform, pg_temp as $$
    select * from operator_act a where a.seq > p_after order by a.seq limit p_limit
  $$`;

const WRITERS = 'platform_app, identity_app, compliance_app, signing_app';

const GRANTS = `
  revoke all on function platform_v1.record_act, platform.ops_acts, platform.ops_acts_after from public;
  grant execute on function platform_v1.record_act to ${WRITERS};
  grant execute on function platform.ops_acts, platform.ops_acts_after to platform_app`;
