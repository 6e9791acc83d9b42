import { appendOnly, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LEDGER_DRIFT, OPS_VERIFY_LEDGER, VERIFY_LEDGER } from './1764000009300-archived-ledger-verified.sql.ts';

/** Old entries of the ledger are kept as files of the object store; what is left begins where the newest file of an account ends (ADR 0256). */
export class LedgerArchive1764000009300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      TABLE,
      TOTALS,
      KEEP_ENTRIES,
      CLOSING,
      NEXT,
      RECORD,
      LIST,
      VERIFY_LEDGER,
      OPS_VERIFY_LEDGER,
      LEDGER_DRIFT,
      GRANTS,
    ])
      await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** One row for each file: the entries from_seq to through_seq of an account, its balance before and after them. */
const TABLE = `
  create table platform.ledger_archive (
    id uuid not null unique,
    tenant_id uuid not null references platform.tenant,
    from_seq bigint not null,
    through_seq bigint not null check (through_seq >= from_seq),
    balance_before bigint not null,
    balance_after bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    head_before text not null,
    head_after text not null,
    previous_sha256 text,
    object_key text not null,
    bytes bigint not null,
    sha256 text not null,
    signature bytea not null,
    key_fingerprint text not null,
    archived_by text not null,
    archived_at timestamptz(3) not null default now(),
    primary key (tenant_id, through_seq)
  );
  ${tenantTable('platform', 'ledger_archive', ['select'])}
  ${appendOnly('platform', 'ledger_archive')}`;

/** Of what a day's total adds up, what the ledger has no entries of any more. */
const TOTALS = `
  alter table platform.credit_daily_total
    add column archived_entries bigint not null default 0,
    add column archived_quantity bigint not null default 0,
    add column archived_amount bigint not null default 0`;

/**
 * What is granted, bought and reversed stays for good: payments, disputes and repeated grants are compared with it. Other entries can be
 * deleted once a file has them, and in no other way.
 */
const KEEP_ENTRIES = `
  create function platform.stays_in_ledger(p_kind text) returns boolean
  language sql immutable parallel safe as $$ select p_kind in ('grant', 'topup', 'reversal') $$;

  create function platform.keep_credit_entry() returns trigger
  language plpgsql security definer set search_path = platform, pg_temp as $$
  begin
    if tg_op = 'DELETE' and not stays_in_ledger(old.kind) and old.seq >= (
         select a.from_seq from ledger_archive a where a.tenant_id = old.tenant_id and a.through_seq >= old.seq
          order by a.through_seq limit 1) then
      return old;
    end if;
    raise exception 'platform.credit_entry is append-only' using errcode = 'CN403';
  end $$;
  drop trigger credit_entry_append_only on platform.credit_entry;
  create trigger credit_entry_append_only before update or delete on platform.credit_entry
    for each row execute function platform.keep_credit_entry();
  create trigger credit_entry_never_truncated before truncate on platform.credit_entry
    for each statement execute function platform.refuse_change();`;

/** Where what is left of the accounts begins: one row for each account that has files. */
const CLOSING = `
  create function platform.ledger_closings(p_tenant_id uuid) returns setof platform.ledger_archive
  language sql stable security definer set search_path = platform, pg_temp as $$
    select distinct on (a.tenant_id) a.* from ledger_archive a where p_tenant_id is null or a.tenant_id = p_tenant_id
     order by a.tenant_id, a.through_seq desc
  $$`;

/**
 * The entries of the next file: of the first account that has entries of before p_before, its oldest ones up to the first that is not as
 * old, p_limit at most. The newest entry of an account always stays, and nothing of the last 400 days is given.
 */
const NEXT = `
  create function platform.next_ledger_archive(p_tenant_id uuid, p_before timestamptz, p_limit integer)
  returns table (tenant_id uuid, seq bigint, line text, head_before text, previous_sha256 text)
  language plpgsql stable security definer set search_path = platform, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
  declare
    v_before constant timestamptz := least(p_before, now() - interval '400 days');
    v_account record;
  begin
    select c.tenant_id, c.last_seq, a.through_seq, a.head_after, a.sha256 into v_account
      from credit_account c
      left join lateral (select x.through_seq, x.head_after, x.sha256 from ledger_archive x where x.tenant_id = c.tenant_id
                          order by x.through_seq desc limit 1) a on true
     cross join lateral (select e.created_at, e.seq from credit_entry e
                          where e.tenant_id = c.tenant_id and e.seq > coalesce(a.through_seq, 0) order by e.seq limit 1) oldest
     where (p_tenant_id is null or c.tenant_id = p_tenant_id) and oldest.created_at < v_before and oldest.seq < c.last_seq
     order by c.tenant_id limit 1;
    if not found then
      return;
    end if;
    return query
    select o.tenant_id, o.seq, o.line, coalesce(v_account.head_after, repeat('0', 64)), v_account.sha256
      from (select e.tenant_id, e.seq, to_jsonb(e)::text as line, bool_and(e.created_at < v_before) over (order by e.seq) as old
              from (select * from credit_entry x
                     where x.tenant_id = v_account.tenant_id and x.seq > coalesce(v_account.through_seq, 0)
                       and x.seq < v_account.last_seq
                     order by x.seq limit p_limit) e) o
     where o.old order by o.seq;
  end $$`;

/**
 * Records a file that was written, signed and read back, and deletes its entries, in one transaction: false, and nothing is changed, when
 * another run has recorded these entries meanwhile. p_rows: SHA-256 of the file's rows, joined by line feeds; the entries that are deleted
 * are these, to the byte, follow the file before without a gap, and add up.
 */
const RECORD = `
  create function platform.record_ledger_archive(p_archive jsonb, p_rows text) returns boolean
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
    if v_found.entries <> v_new.through_seq - v_new.from_seq + 1 or v_found.rows_sha256 <> p_rows
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

/** Files of one tenant or of all, those of a tenant in their order; and the entries that a file has and the ledger still has, as it wrote them. */
const LIST = `
  create function platform.ledger_archives(p_tenant_id uuid, p_id uuid, p_after_tenant uuid, p_after_seq bigint, p_limit integer)
  returns table (archive platform.ledger_archive, slug text)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select a, t.slug from ledger_archive a join tenant t on t.id = a.tenant_id
     where (p_tenant_id is null or a.tenant_id = p_tenant_id) and (p_id is null or a.id = p_id)
       and (p_after_tenant is null or (a.tenant_id, a.through_seq) > (p_after_tenant, p_after_seq))
     order by a.tenant_id, a.through_seq limit p_limit
  $$;

  create function platform.kept_of_ledger_archive(p_id uuid) returns table (seq bigint, line text)
  language sql stable security definer set search_path = platform, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
    select e.seq, to_jsonb(e)::text from ledger_archive a
      join credit_entry e on e.tenant_id = a.tenant_id and e.seq between a.from_seq and a.through_seq
     where a.id = p_id order by e.seq
  $$`;

const FUNCTIONS = `platform.ledger_closings, platform.next_ledger_archive, platform.record_ledger_archive, platform.ledger_archives,
  platform.kept_of_ledger_archive`;

const GRANTS = `
  revoke all on function ${FUNCTIONS}, platform.keep_credit_entry from public;
  grant execute on function platform.next_ledger_archive, platform.record_ledger_archive, platform.ledger_archives,
    platform.kept_of_ledger_archive, platform.ops_archived_entries to platform_app;`;
