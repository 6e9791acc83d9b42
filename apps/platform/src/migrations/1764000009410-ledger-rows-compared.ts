import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A file without a digest of its rows is not recorded: `<>` let null pass. */
export class LedgerRowsCompared1764000009410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(RECORD);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** As before; p_rows is compared when it is null, too. */
const RECORD = `
  create or replace function platform.record_ledger_archive(p_archive jsonb, p_rows text) returns boolean
  language plpgsql volatile security definer set search_path = platform, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
  declare
    v_new ledger_archive := jsonb_populate_record(null::ledger_archive, p_archive);
    v_last ledger_archive;
    v_found record;
  begin
    perform require_tenant(v_new.tenant_id);
    perform pg_advisory_xact_lock(hashtextextended('platform.ledger_archive:' || v_new.tenant_id, 0));
    select * into v_last from ledger_archive a where a.tenant_id = v_new.tenant_id order by a.through_seq desc limit 1;
    if v_new.from_seq <> coalesce(v_last.through_seq, 0) + 1 then
      return false;
    end if;
    v_new.balance_before := coalesce(v_last.balance_after, 0);
    select count(*) as entries, min(e.created_at) as first_at, max(e.created_at) as last_at,
           encode(sha256(convert_to(string_agg(to_jsonb(e)::text, E'\\n' order by e.seq), 'UTF8')), 'hex') as rows_sha256,
           (array_agg(e.balance_after order by e.seq desc))[1] as balance_after, sum(e.amount) as amount
      into v_found
      from credit_entry e where e.tenant_id = v_new.tenant_id and e.seq between v_new.from_seq and v_new.through_seq;
    if v_found.entries <> v_new.through_seq - v_new.from_seq + 1 or v_found.rows_sha256 is distinct from p_rows
       or v_found.balance_after <> v_new.balance_before + v_found.amount
       or v_new.head_before <> coalesce(v_last.head_after, repeat('0', 64)) or v_new.previous_sha256 is distinct from v_last.sha256
       or v_found.last_at >= now() - interval '400 days'
       or not exists (select from credit_account c where c.tenant_id = v_new.tenant_id and c.last_seq > v_new.through_seq) then
      raise exception 'the entries are not those of the file, do not add up, or are too new' using errcode = 'CN409';
    end if;
    v_new.first_at := v_found.first_at;
    v_new.last_at := v_found.last_at;
    v_new.balance_after := v_found.balance_after;
    v_new.archived_at := clock_timestamp();
    insert into ledger_archive select (v_new).*;
    update credit_daily_total t
       set archived_entries = t.archived_entries + d.entries, archived_quantity = t.archived_quantity + d.quantity,
           archived_amount = t.archived_amount + d.amount
      from (select (e.created_at at time zone 'America/Bogota')::date as day, e.module, e.ref_type, e.kind, count(*) as entries,
                   sum(e.quantity) as quantity, sum(e.amount) as amount
              from credit_entry e
             where e.tenant_id = v_new.tenant_id and e.seq between v_new.from_seq and v_new.through_seq and not stays_in_ledger(e.kind)
             group by 1, 2, 3, 4) d
     where t.tenant_id = v_new.tenant_id and t.day = d.day and t.module = d.module and t.ref_type = d.ref_type and t.kind = d.kind;
    delete from credit_entry e
     where e.tenant_id = v_new.tenant_id and e.seq between v_new.from_seq and v_new.through_seq and not stays_in_ledger(e.kind);
    return true;
  end $$`;
