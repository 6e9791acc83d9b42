import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The contents of tenants' own lists, sealed: each piece with its own key, stored in the same row, wrapped with the tenant's. */
export class SealedLists1764000000930 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [COLUMN, PROGRESS, UNSEALED_ROWS, SEAL_PIECE, GRANTS]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const COLUMN = `alter table compliance.list_content add column wrapped_key bytea`;

const PROGRESS = `
  alter table compliance.sealing_progress drop constraint sealing_progress_table_name_check;
  alter table compliance.sealing_progress add constraint sealing_progress_table_name_check
    check (table_name in ('screening', 'review_case', 'list_version'));
  insert into compliance.sealing_progress (table_name) values ('list_version')`;

/** As before, and versions of tenants' lists with a piece in the clear. */
const UNSEALED_ROWS = `
  create or replace function compliance.unsealed_rows(p_table text, p_after uuid, p_limit integer)
  returns table (tenant_id uuid, id uuid, subject_ref text)
  language plpgsql stable security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  begin
    if p_table = 'screening' then
      return query select s.tenant_id, s.id, s.subject_ref from screening s
        where s.id > p_after and s.sealed_result is null order by s.id limit p_limit;
    elsif p_table = 'review_case' then
      return query select c.tenant_id, c.id, c.subject_ref from review_case c
        where c.id > p_after and c.sealed is null order by c.id limit p_limit;
    else
      return query select v.tenant_id, v.id, null::text from list_version v
        where v.id > p_after and v.tenant_id is not null
          and exists (select from list_content c where c.version_id = v.id and c.wrapped_key is null)
        order by v.id limit p_limit;
    end if;
  end $$`;

const SEAL_PIECE = `
  create function compliance.seal_list_piece(
    p_tenant_id uuid, p_version_id uuid, p_part text, p_matcher_version text, p_seq integer, p_bytes bytea, p_wrapped_key bytea
  ) returns void
  language plpgsql security definer set search_path = compliance, pg_temp set enable_seqscan = off as $$
  begin
    if p_tenant_id is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
      raise exception 'the transaction is of another tenant' using errcode = 'insufficient_privilege';
    end if;
    update list_content set bytes = p_bytes, wrapped_key = p_wrapped_key
     where version_id = p_version_id and tenant_id = p_tenant_id and part = p_part and matcher_version = p_matcher_version
       and seq = p_seq and wrapped_key is null;
  end $$`;

const GRANTS = `
  revoke all on function compliance.seal_list_piece from public;
  grant execute on function compliance.seal_list_piece to compliance_app`;
