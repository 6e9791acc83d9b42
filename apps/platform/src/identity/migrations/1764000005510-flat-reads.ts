import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is found costs the same however much else there is. A sweep finds what is due of each tenant by its own period, without reading what
 * is not due yet; a list finds the sessions and subjects of a filter in an index of their own.
 */
export class IdentityFlatReads1764000005510 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [INDEXES, RETIRE, FORGET]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const INDEXES = `
  create index if not exists flow_session_to_forget_of_tenant on identity.flow_session (tenant_id, completed_at)
    where completed_at is not null and forgotten_at is null;
  drop index identity.flow_session_to_forget;
  create index if not exists flow_session_by_status on identity.flow_session (tenant_id, status, id);
  create index if not exists flow_session_by_ref on identity.flow_session (tenant_id, external_ref, id) where external_ref is not null;
  create index if not exists subject_by_status on identity.subject (tenant_id, kyc_status, id);
  create index if not exists subject_by_ref on identity.subject (tenant_id, external_ref, id) where external_ref is not null;
  create index if not exists subject_by_document_type on identity.subject (tenant_id, document_type, id) where document_type is not null`;

/** The tenants that have rows in an index which begins with tenant_id, one step of the index each. */
const tenantsWith = (table: string, condition: string): string => `
      (select t.tenant_id from ${table} t where ${condition} order by t.tenant_id limit 1)
      union all
      select (select t.tenant_id from ${table} t where ${condition} and t.tenant_id > w.tenant_id order by t.tenant_id limit 1)
        from with_rows w where w.tenant_id is not null`;

/** Ids of rows that are due, at most p_limit, as a list of CTEs: with_rows and due. */
const dueOf = (table: string, condition: string, since: string, days: string): string => `
    with recursive with_rows (tenant_id) as (${tenantsWith(table, condition)}
    ), due as (
      select f.id
        from with_rows w left join platform_v1.retention_periods() r on r.tenant_id = w.tenant_id
       cross join lateral (
         select t.id from ${table} t
          where t.tenant_id = w.tenant_id and ${condition}
            and t.${since} <= now() - make_interval(days => coalesce(r.${days}, p_default_days))
          order by t.${since} limit p_limit for update of t skip locked) f
       limit p_limit
    )`;

/** As before, tenant by tenant. */
const RETIRE = `
  create or replace function identity.retire_assets(p_limit integer, p_default_days integer) returns integer
  language sql volatile security definer set search_path = identity, pg_temp as $$
    ${dueOf('asset', "t.status = 'stored'", 'stored_at', 'identity_image_days')}, ended as (
      update asset a set status = 'deleting', delete_reason = 'retention', lease_until = null
        from due where a.id = due.id returning 1
    )
    select count(*)::integer from ended
  $$`;

/** As before, tenant by tenant. */
const FORGET = `
  create or replace function identity.forget_sessions(p_limit integer, p_default_days integer) returns integer
  language sql volatile security definer set search_path = identity, pg_temp as $$
    ${dueOf('flow_session', 't.completed_at is not null and t.forgotten_at is null', 'completed_at', 'identity_session_days')}, runs as (
      update step_run s set result_sealed = null from due where s.session_id = due.id
    ), reviews as (
      update session_review v set sealed_reason = null from due where v.session_id = due.id
    ), embeds as (
      update embed_session e set external_ref = null, metadata = '{}' from due where e.target_id = due.id
    ), forgotten as (
      update flow_session f set forgotten_at = now(), sealed_context = null, external_ref = null
        from due where f.id = due.id returning 1
    )
    select count(*)::integer from forgotten
  $$`;
