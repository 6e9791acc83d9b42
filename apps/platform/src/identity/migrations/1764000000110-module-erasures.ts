import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What other modules are asked to erase, and what they said. sealed_request: with the service's secret, until it is done: it names the
 * person. result: a ModuleErasure.
 */
const ERASURE_MODULE = `
  create table identity.erasure_module (
    receipt_id uuid not null references identity.erasure_receipt,
    module text not null check (module in ('compliance', 'signing')),
    tenant_id uuid not null,
    status text not null default 'pending' check (status in ('pending', 'done')),
    sealed_request bytea,
    result jsonb,
    asked_at timestamptz,
    asks int not null default 0,
    created_at timestamptz(3) not null default now(),
    done_at timestamptz(3),
    primary key (receipt_id, module),
    check ((status = 'pending') = (sealed_request is not null))
  );
  create index erasure_module_pending on identity.erasure_module (asked_at nulls first) where status = 'pending'`;

/** Requests to send (again): every p_every_ms at first, then twice as seldom each time, once a minute at the least. */
const TO_ASK = `
  create function identity.erasures_to_ask(p_limit integer, p_every_ms integer)
  returns table (receipt_id uuid, module text, tenant_id uuid, sealed_request bytea)
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select m.receipt_id, m.module from erasure_module m
       where m.status = 'pending'
         and (m.asked_at is null or m.asked_at <= now() - make_interval(secs =>
                least(60, p_every_ms / 1000.0 * power(2, least(10, greatest(0, m.asks - 5))))))
       order by m.asked_at nulls first limit p_limit for update skip locked
    )
    update erasure_module m set asked_at = now(), asks = m.asks + 1
      from due where m.receipt_id = due.receipt_id and m.module = due.module
    returning m.receipt_id, m.module, m.tenant_id, m.sealed_request
  $$`;

/** Receipts of a release that did not ask other modules. */
const UNASKED = `
  create function identity.erasures_unasked(p_limit integer)
  returns table (receipt_id uuid, tenant_id uuid)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select r.id, r.tenant_id from erasure_receipt r
     where not exists (select 1 from erasure_module m where m.receipt_id = r.id)
     order by r.id limit p_limit
  $$`;

const NAMES = 'identity.erasures_to_ask, identity.erasures_unasked';

export class IdentityModuleErasures1764000000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const grants = `revoke all on function ${NAMES} from public; grant execute on function ${NAMES} to identity_app`;
    const rights = tenantTable('identity', 'erasure_module', ['select', 'insert', 'update']);
    for (const sql of [ERASURE_MODULE, rights, TO_ASK, UNASKED, grants]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function ${NAMES}`);
    await runner.query('drop table identity.erasure_module');
  }
}
