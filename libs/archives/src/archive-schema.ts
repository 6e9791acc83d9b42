import { appendOnly, tenantTable } from '@constancia/persistence';

/** Where a module records the files of a history. */
export interface ArchiveTable {
  schema: string;
  /** Its functions are named after it: `trail_archive`, `next_trail_archive`, `record_trail_archive`, `trail_archives`. */
  table: string;
}

/**
 * SQL of a table of archived files (ArchivedFile), of `<table>s`, which lists them, and of `accept_<table>(p_archive jsonb)`, which the
 * history's own `record_<table>` begins with: it takes the lock of the tenant's archive, and answers the row to insert, with all that is
 * known before the rows are looked at; null when another run has recorded these rows meanwhile. It refuses a file of another tenant
 * (CN403) and one that does not follow the file before (CN409).
 *
 * The module adds, both `security definer`, `set timezone = 'UTC'`, `set datestyle = 'ISO, YMD'`:
 *
 *     next_<table>(p_tenant_id uuid, p_before timestamptz, p_limit integer)
 *       returns table (tenant_id uuid, seq bigint, line text, head_before text, previous_sha256 text)
 *     record_<table>(p_archive jsonb, p_rows text) returns boolean
 *
 * p_archive also has what a history's `content` gives it. The first answers the rows of the next file, of this tenant or of any; the second records a file and deletes its rows, and compares
 * them with `p_rows`, the SHA-256 of their lines joined by line feeds. Neither gives a row that the law or the product needs.
 */
export function archiveSchema({ schema, table }: ArchiveTable): string {
  const name = `${schema}.${table}`;
  return `
    create table ${name} (
      id uuid not null unique,
      tenant_id uuid not null,
      from_seq bigint not null check (from_seq > 0),
      through_seq bigint not null check (through_seq >= from_seq),
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
    ${tenantTable(schema, table, ['select'])}
    ${appendOnly(schema, table)}

    create function ${name}s(p_tenant_id uuid, p_id uuid, p_after_tenant uuid, p_after_seq bigint, p_limit integer)
    returns table (archive ${name}, slug text)
    language sql stable security definer set search_path = ${schema}, pg_temp as $$
      select a, t.slug from ${table} a, platform_v1.tenant_named(a.tenant_id::text) t
       where (p_tenant_id is null or a.tenant_id = p_tenant_id) and (p_id is null or a.id = p_id)
         and (p_after_tenant is null or (a.tenant_id, a.through_seq) > (p_after_tenant, p_after_seq))
       order by a.tenant_id, a.through_seq limit p_limit
    $$;

    create function ${schema}.accept_${table}(p_archive jsonb) returns ${name}
    language plpgsql volatile security definer set search_path = ${schema}, pg_temp as $$
    declare
      v_new ${table} := jsonb_populate_record(null::${table}, p_archive);
      v_last ${table};
    begin
      if v_new.tenant_id is distinct from nullif(current_setting('app.tenant_id', true), '')::uuid then
        raise exception 'the file belongs to another tenant than the transaction' using errcode = 'CN403';
      end if;
      perform pg_advisory_xact_lock(hashtextextended('${name}:' || v_new.tenant_id, 0));
      select * into v_last from ${table} a where a.tenant_id = v_new.tenant_id order by a.through_seq desc limit 1;
      if v_new.from_seq <> coalesce(v_last.through_seq, 0) + 1 then
        return null;
      end if;
      if v_new.head_before <> coalesce(v_last.head_after, repeat('0', 64)) or v_new.previous_sha256 is distinct from v_last.sha256 then
        raise exception 'the file does not follow the one before' using errcode = 'CN409';
      end if;
      v_new.archived_at := clock_timestamp();
      return v_new;
    end $$;

    revoke all on function ${name}s, ${schema}.accept_${table} from public;
    grant execute on function ${name}s to ${schema}_app;
  `;
}
