import { archiveSchema } from '@constancia/archives/schema';
import { appendOnly, continuedChain, tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ENVELOPE_TRAIL } from '../envelope-records/envelope-chain.ts';

/** Trails of envelopes that ended long ago are kept as files of the object store (ADR 0257). */
export class TrailArchive1764000009400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const files = archiveSchema({ schema: 'signing', table: 'trail_archive' });
    const goesOn = continuedChain(
      ENVELOPE_TRAIL,
      `select t.events as seq, t.head_hash as hash from archived_trail t where t.tenant_id = p_tenant_id and t.envelope_id = p_owner`,
    );
    for (const sql of [files, ARCHIVED_TRAIL, KEEP_EVENTS, goesOn, NEXT, RECORD, GRANTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * A trail that is in a file: `events` events from its first, of which the first is the row `first_row` of the tenant's history. head_hash: of
 * the last of them. key_id: the row of subject_key whose key opens what is personal in them.
 */
const ARCHIVED_TRAIL = `
  create table signing.archived_trail (
    tenant_id uuid not null,
    envelope_id uuid not null references signing.envelope,
    archive_id uuid not null references signing.trail_archive (id),
    first_row bigint not null,
    events integer not null check (events > 0),
    head_hash text not null,
    key_id uuid not null,
    primary key (tenant_id, envelope_id)
  );
  create index archived_trail_of_file on signing.archived_trail (archive_id);
  ${tenantTable('signing', 'archived_trail', ['select'])}
  ${appendOnly('signing', 'archived_trail')}`;

/** Events can be deleted once a recorded file has them, and in no other way. */
const KEEP_EVENTS = `
  create or replace function signing.keep_envelope_event() returns trigger
  language plpgsql security definer set search_path = signing, pg_temp as $$
  begin
    if tg_op = 'DELETE' then
      if exists (select from archived_trail t
                  where t.tenant_id = old.tenant_id and t.envelope_id = old.envelope_id and t.events >= old.seq) then
        return old;
      end if;
    end if;
    raise exception 'rows of signing.envelope_event are never changed' using errcode = 'restrict_violation';
  end $$`;

/**
 * Of the first tenant that has envelopes which ended before p_before, the trails of the oldest ones, whole, up to p_limit events; never of
 * the last 400 days. Envelopes are taken in the order of their ids up to the first whose end is not as old. One that was made before
 * p_before and has not ended yet is passed over, and its trail stays.
 */
const NEXT = `
  create function signing.next_trail_archive(p_tenant_id uuid, p_before timestamptz, p_limit integer)
  returns table (tenant_id uuid, seq bigint, line text, head_before text, previous_sha256 text)
  language plpgsql stable security definer set search_path = signing, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
  declare
    v_before constant timestamptz := least(p_before, now() - interval '400 days');
    v_none constant uuid := '00000000-0000-0000-0000-000000000000';
    v_tenant uuid := p_tenant_id;
    v_file trail_archive;
    v_last uuid;
    v_envelopes uuid[];
  begin
    loop
      if p_tenant_id is null then
        select e.tenant_id into v_tenant from envelope e where e.tenant_id > coalesce(v_tenant, v_none) order by e.tenant_id limit 1;
        exit when not found;
      end if;
      select t.envelope_id into v_last from archived_trail t where t.tenant_id = v_tenant order by t.envelope_id desc limit 1;
      select array_agg(o.id) into v_envelopes
        from (select c.id, c.old, c.has_ended, v.events, sum(v.events) over (order by c.id) as so_far
                from (select e.id, e.ended_at is not null as has_ended,
                             bool_and(coalesce(e.ended_at, e.created_at) < v_before) over (order by e.id) as old
                        from (select * from envelope x where x.tenant_id = v_tenant and x.id > coalesce(v_last, v_none) order by x.id limit p_limit) e) c
               cross join lateral (select case when c.old and c.has_ended then x.seq else 0 end as events
                                     from envelope_event x where x.envelope_id = c.id order by x.seq desc limit 1) v) o
       where o.old and o.has_ended and (o.so_far <= p_limit or o.so_far = o.events);
      exit when v_envelopes is not null or p_tenant_id is not null;
    end loop;
    select * into v_file from trail_archive a where a.tenant_id = v_tenant order by a.through_seq desc limit 1;
    return query
    select v.tenant_id, coalesce(v_file.through_seq, 0) + row_number() over (order by v.envelope_id, v.seq), to_jsonb(v)::text,
           coalesce(v_file.head_after, repeat('0', 64)), v_file.sha256
      from envelope_event v where v.envelope_id = any (v_envelopes) order by v.envelope_id, v.seq;
  end $$`;

/**
 * Records a file that was written, signed and read back, and deletes the trails that it has. p_archive has \`trails\`, beside the members of
 * every archive: \`{envelope_id, key_id, wrapped_key}\` of each, wrapped_key in hexadecimal. While it runs, nothing can be added to them.
 */
const RECORD = `
  create function signing.record_trail_archive(p_archive jsonb, p_rows text) returns boolean
  language plpgsql volatile security definer set search_path = signing, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
  declare
    v_new trail_archive := accept_trail_archive(p_archive);
    v_envelopes uuid[];
    v_found record;
  begin
    if v_new.id is null then
      return false;
    end if;
    select array_agg(e.id) into v_envelopes
      from (select x.id from envelope x
              join jsonb_to_recordset(p_archive -> 'trails') as t (envelope_id uuid) on t.envelope_id = x.id
             where x.tenant_id = v_new.tenant_id and x.ended_at < now() - interval '400 days'
             order by x.id for update of x) e;
    select count(*) as rows, min(v.at) as first_at, max(v.at) as last_at, bool_and(v.seq = v.nth) as whole,
           count(distinct v.envelope_id) as trails,
           encode(sha256(convert_to(string_agg(v.line, E'\\n' order by v.envelope_id, v.seq), 'UTF8')), 'hex') as rows_sha256
      into v_found
      from (select x.envelope_id, x.seq, x.at, to_jsonb(x)::text as line,
                   row_number() over (partition by x.envelope_id order by x.seq) as nth
              from envelope_event x where x.envelope_id = any (v_envelopes)) v;
    if v_found.rows <> v_new.through_seq - v_new.from_seq + 1 or v_found.rows_sha256 is distinct from p_rows or not v_found.whole
       or v_found.trails <> jsonb_array_length(p_archive -> 'trails') then
      raise exception 'the trails are not those of the file, are not whole, or have not ended long enough ago' using errcode = 'CN409';
    end if;
    v_new.first_at := v_found.first_at;
    v_new.last_at := v_found.last_at;
    insert into trail_archive select (v_new).*;
    insert into subject_key (tenant_id, id, wrapped_key)
    select v_new.tenant_id, t.key_id, decode(t.wrapped_key, 'hex')
      from jsonb_to_recordset(p_archive -> 'trails') as t (key_id uuid, wrapped_key text);
    insert into archived_trail (tenant_id, envelope_id, archive_id, first_row, events, head_hash, key_id)
    select v_new.tenant_id, v.envelope_id, v_new.id, v_new.from_seq + sum(v.events) over (order by v.envelope_id) - v.events, v.events,
           (select x.hash from envelope_event x where x.envelope_id = v.envelope_id and x.seq = v.events), t.key_id
      from (select x.envelope_id, count(*)::integer as events from envelope_event x
             where x.envelope_id = any (v_envelopes) group by x.envelope_id) v
      join jsonb_to_recordset(p_archive -> 'trails') as t (envelope_id uuid, key_id uuid) on t.envelope_id = v.envelope_id;
    delete from envelope_event x where x.envelope_id = any (v_envelopes);
    return true;
  end $$`;

const GRANTS = `
  revoke all on function signing.next_trail_archive, signing.record_trail_archive, signing.keep_envelope_event from public;
  grant execute on function signing.next_trail_archive, signing.record_trail_archive to signing_app`;
