import { ownersTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Status lists of credentials (ADR 0205). Nothing here says whose a credential is: an entry is a number in a list that persons of all tenants
 * share.
 */
export class IdentityStatusLists1764000004910 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const tables = ['status_list', 'status_list_pool', 'status_entry'].map((table) => ownersTable('identity', table));
    for (const sql of [TABLES, ...tables, OPEN, ALLOT, CHANGE, SIGN, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const AS_OWNER = 'language plpgsql volatile security definer set search_path = identity, pg_temp';
const READS = 'language sql stable security definer set search_path = identity, pg_temp';
const WRITES = 'language sql volatile security definer set search_path = identity, pg_temp';

/**
 * status_list: version counts its changes; token is the list as it was signed last, at token_version. status_list_pool: the indexes of the
 * list that is filled at present, three bytes each, in random order; the first `taken` are allotted. Its row goes, and the order with it, once
 * all are. status_entry: every status but 0.
 */
const TABLES = `
  create table identity.status_list (
    id uuid primary key,
    size integer not null check (size > 0 and size % 4 = 0),
    version integer not null default 0,
    created_at timestamptz(3) not null default now(),
    token text,
    token_version integer,
    signed_at timestamptz(3),
    check (num_nulls(token, token_version, signed_at) in (0, 3))
  );
  create table identity.status_list_pool (
    list_id uuid primary key references identity.status_list,
    shuffled bytea not null,
    taken integer not null default 0
  );
  alter table identity.status_list_pool alter column shuffled set storage external;
  create table identity.status_entry (
    list_id uuid not null references identity.status_list,
    idx integer not null check (idx >= 0),
    status smallint not null check (status between 1 and 3),
    primary key (list_id, idx)
  )`;

/** gen_random_uuid draws from the operating system's generator. */
const OPEN = `
  create function identity.open_status_list(p_size integer) returns void ${AS_OWNER} as $$
  declare
    v_id constant uuid := gen_random_uuid();
  begin
    insert into status_list (id, size) values (v_id, p_size);
    insert into status_list_pool (list_id, shuffled)
    select v_id, string_agg(substring(int4send(n) from 2), ''::bytea order by gen_random_uuid()) from generate_series(0, p_size - 1) n;
  end $$`;

/**
 * Takes indexes that nobody has, from the list that is filled at present; a list that is used up is followed by a new one. Those of a
 * transaction that fails are given out again.
 */
const ALLOT = `
  create function identity.allot_status_indexes(p_count integer, p_size integer) returns table (list_id uuid, idx integer) ${AS_OWNER} as $$
  declare
    v_pool record;
    v_left integer := p_count;
    v_now integer;
  begin
    while v_left > 0 loop
      select p.list_id, p.taken, octet_length(p.shuffled) / 3 as size into v_pool
        from status_list_pool p order by p.list_id limit 1 for update;
      if not found then
        perform pg_advisory_xact_lock(hashtext('status_list'), 0);
        if not exists (select from status_list_pool) then
          perform open_status_list(p_size);
        end if;
        continue;
      end if;
      v_now := least(v_left, v_pool.size - v_pool.taken);
      return query
        select v_pool.list_id, (get_byte(s.bytes, 3 * n) << 16) | (get_byte(s.bytes, 3 * n + 1) << 8) | get_byte(s.bytes, 3 * n + 2)
          from (select substring(p.shuffled from 3 * v_pool.taken + 1 for 3 * v_now) as bytes
                  from status_list_pool p where p.list_id = v_pool.list_id) s, generate_series(0, v_now - 1) n;
      if v_pool.taken + v_now = v_pool.size then
        delete from status_list_pool p where p.list_id = v_pool.list_id;
      else
        update status_list_pool p set taken = v_pool.taken + v_now where p.list_id = v_pool.list_id;
      end if;
      v_left := v_left - v_now;
    end loop;
  end $$`;

/** Lists are locked in one order. What is revoked stays revoked. */
const CHANGE = `
  create function identity.set_statuses(p_list_ids uuid[], p_idxs integer[], p_status integer) returns void ${AS_OWNER} as $$
  begin
    perform from status_list l where l.id = any (p_list_ids) order by l.id for no key update;
    insert into status_entry (list_id, idx, status)
    select u.list_id, u.idx, p_status from unnest(p_list_ids, p_idxs) u (list_id, idx)
        on conflict (list_id, idx) do update set status = excluded.status where status_entry.status <> 1;
    update status_list l set version = l.version + 1 where l.id = any (p_list_ids);
  end $$`;

/**
 * status_list_state: what a process that has the list compares. sign_status_list_from: locks the list, so that one process signs a change, and
 * answers what it is made of: 4 * index + status, four bytes each.
 */
const SIGN = `
  create function identity.status_list_state(p_id uuid)
  returns table (version integer, token_version integer, signed_at timestamptz) ${READS} as $$
    select l.version, l.token_version, l.signed_at from status_list l where l.id = p_id
  $$;

  create function identity.signed_status_list(p_id uuid) returns table (token text, token_version integer, signed_at timestamptz) ${READS} as $$
    select l.token, l.token_version, l.signed_at from status_list l where l.id = p_id and l.token is not null
  $$;

  create function identity.lock_status_list(p_id uuid)
  returns table (size integer, version integer, token text, token_version integer, signed_at timestamptz) ${WRITES} as $$
    select l.size, l.version, l.token, l.token_version, l.signed_at from status_list l where l.id = p_id for no key update
  $$;

  create function identity.status_entries(p_id uuid) returns bytea ${READS} as $$
    select coalesce(string_agg(int4send(4 * e.idx + e.status), ''::bytea), ''::bytea) from status_entry e where e.list_id = p_id
  $$;

  create function identity.keep_signed_status_list(p_id uuid, p_token text, p_version integer, p_signed_at timestamptz) returns void ${WRITES} as $$
    update status_list l set token = p_token, token_version = p_version, signed_at = p_signed_at where l.id = p_id
  $$;

  create function identity.status_list_ids(p_limit integer) returns table (id uuid) ${READS} as $$
    select l.id from status_list l order by l.created_at, l.id limit p_limit
  $$`;

const FUNCTIONS = [
  'open_status_list', 'allot_status_indexes', 'set_statuses', 'status_list_state', 'signed_status_list', 'lock_status_list', 'status_entries',
  'keep_signed_status_list', 'status_list_ids',
].map((name) => `identity.${name}`); // prettier-ignore

const GRANTS = `
  revoke all on function ${FUNCTIONS.join(', ')} from public;
  grant execute on function ${FUNCTIONS.filter((name) => !name.endsWith('open_status_list')).join(', ')} to identity_app`;
