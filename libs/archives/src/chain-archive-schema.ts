import { appendOnly, continuedChain, type OwnedChain, tenantTable } from '@constancia/persistence';
import { archiveSchema } from './archive-schema.ts';

/** Chains that are archived whole, once what they belong to is over. */
export interface ArchivedChains {
  chain: OwnedChain;
  /** The table of what the chains belong to, with `id` and `tenant_id`; its index begins with these two. */
  owners: string;
  /** SQL of a row `o` of it: since when it is there, since when it is over (null: it is not), and whether its chain may leave then. */
  createdAt: string;
  endedAt: string;
  mayLeave: string;
  /** Where files are recorded (archiveSchema), and where each chain is (ArchivedChain). */
  archive: string;
  places: string;
  /** Whether events have the member `sealed` (sealedMembers). */
  sealed?: boolean;
}

/** How long what a chain belongs to must be over, whatever a process asks for. */
const FLOOR = `interval '400 days'`;

/**
 * SQL that lets chains be moved into files (HistoryArchive, ChainArchive): the table of files and that of places, `next_<archive>` and
 * `record_<archive>`. A link can be deleted once a recorded file has it, and in no other way; a chain whose links were moved goes on from
 * the last of them.
 */
export function chainArchiveSchema(chains: ArchivedChains): string {
  const { chain, archive, places, sealed = false } = chains;
  const movedHead = `select p.events as seq, p.head_hash as hash from ${places} p where p.tenant_id = p_tenant_id and p.${chain.owner} = p_owner`;
  return [
    archiveSchema({ schema: chain.schema, table: archive }),
    placesTable(chains),
    keepLinks(chains),
    continuedChain(chain, movedHead, { sealed }),
    nextFunction(chains),
    recordFunction(chains),
    grants(chains),
  ].join('\n');
}

/**
 * A chain that is in a file: `events` links from its first, of which the first is the row `first_row` of the tenant's history. head_hash: of
 * the last of them.
 */
function placesTable({ chain: { schema, owner }, owners, archive, places }: ArchivedChains): string {
  return `
    create table ${schema}.${places} (
      tenant_id uuid not null,
      ${owner} uuid not null references ${schema}.${owners},
      archive_id uuid not null references ${schema}.${archive} (id),
      first_row bigint not null,
      events integer not null check (events > 0),
      head_hash text not null,
      primary key (tenant_id, ${owner})
    );
    create index ${places}_of_file on ${schema}.${places} (archive_id);
    ${tenantTable(schema, places, ['select'])}
    ${appendOnly(schema, places)}`;
}

function keepLinks({ chain: { schema, table, owner }, places }: ArchivedChains): string {
  return `
    create or replace function ${schema}.keep_${table}() returns trigger
    language plpgsql security definer set search_path = ${schema}, pg_temp as $$
    begin
      if tg_op = 'DELETE' then
        if exists (select from ${places} p
                    where p.tenant_id = old.tenant_id and p.${owner} = old.${owner} and p.events >= old.seq) then
          return old;
        end if;
      end if;
      raise exception 'rows of ${schema}.${table} are never changed' using errcode = 'restrict_violation';
    end $$;`;
}

/**
 * Of the first tenant that has something which ended before p_before, the chains of the oldest ones, whole, up to p_limit links; never of
 * the last 400 days. They are taken in the order of their owners' ids up to the first that has not ended long enough ago. One that was made
 * before p_before and has not ended yet, or may not leave, is passed over: its chain stays.
 */
function nextFunction({ chain, owners, createdAt, endedAt, mayLeave, archive, places }: ArchivedChains): string {
  const { schema, table, owner } = chain;
  return `
    create function ${schema}.next_${archive}(p_tenant_id uuid, p_before timestamptz, p_limit integer)
    returns table (tenant_id uuid, seq bigint, line text, head_before text, previous_sha256 text)
    language plpgsql stable security definer set search_path = ${schema}, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
    declare
      v_before constant timestamptz := least(p_before, now() - ${FLOOR});
      v_none constant uuid := '00000000-0000-0000-0000-000000000000';
      v_tenant uuid := p_tenant_id;
      v_file ${archive};
      v_last uuid;
      v_owners uuid[];
    begin
      loop
        if p_tenant_id is null then
          select o.tenant_id into v_tenant from ${owners} o where o.tenant_id > coalesce(v_tenant, v_none) order by o.tenant_id limit 1;
          exit when not found;
        end if;
        select p.${owner} into v_last from ${places} p where p.tenant_id = v_tenant order by p.${owner} desc limit 1;
        select array_agg(f.id) into v_owners
          from (select c.id, c.old, e.events, sum(e.events) over (order by c.id) as so_far
                  from (select x.id, bool_and(x.since < v_before) over (order by x.id) as old
                          from (select o.id, coalesce(${endedAt}, ${createdAt}) as since from ${owners} o
                                 where o.tenant_id = v_tenant and o.id > coalesce(v_last, v_none)
                                   and (${createdAt} >= v_before or (${endedAt} is not null and ${mayLeave}))
                                 order by o.id limit p_limit) x) c
                 cross join lateral (select case when c.old then l.seq else 0 end as events
                                       from ${table} l where l.${owner} = c.id order by l.seq desc limit 1) e) f
         where f.old and (f.so_far <= p_limit or f.so_far = f.events);
        exit when v_owners is not null or p_tenant_id is not null;
      end loop;
      select * into v_file from ${archive} a where a.tenant_id = v_tenant order by a.through_seq desc limit 1;
      return query
      select l.tenant_id, coalesce(v_file.through_seq, 0) + row_number() over (order by l.${owner}, l.seq), to_jsonb(l)::text,
             coalesce(v_file.head_after, repeat('0', 64)), v_file.sha256
        from ${table} l where l.${owner} = any (v_owners) order by l.${owner}, l.seq;
    end $$;`;
}

/**
 * Records a file that was written, signed and read back, and deletes the links that it has. p_archive has \`owners\`, beside the members of
 * every archive: the ids of those whose chains are in it. What is added to a chain meanwhile refuses the run, or stays.
 */
function recordFunction({ chain, owners, endedAt, mayLeave, archive, places }: ArchivedChains): string {
  const { schema, table, owner } = chain;
  return `
    create function ${schema}.record_${archive}(p_archive jsonb, p_rows text) returns boolean
    language plpgsql volatile security definer set search_path = ${schema}, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
    declare
      v_new ${archive} := accept_${archive}(p_archive);
      v_owners uuid[];
      v_found record;
    begin
      if v_new.id is null then
        return false;
      end if;
      select array_agg(x.id) into v_owners
        from (select o.id from ${owners} o
                join jsonb_array_elements_text(p_archive -> 'owners') as a (id) on a.id::uuid = o.id
               where o.tenant_id = v_new.tenant_id and ${endedAt} < now() - ${FLOOR} and ${mayLeave}
               order by o.id for update of o) x;
      select count(*) as links, min(l.at) as first_at, max(l.at) as last_at, bool_and(l.seq = l.nth) as whole,
             count(distinct l.${owner}) as chains,
             encode(sha256(convert_to(string_agg(l.line, E'\\n' order by l.${owner}, l.seq), 'UTF8')), 'hex') as rows_sha256
        into v_found
        from (select y.${owner}, y.seq, y.at, to_jsonb(y)::text as line,
                     row_number() over (partition by y.${owner} order by y.seq) as nth
                from ${table} y where y.${owner} = any (v_owners)) l;
      if v_found.links <> v_new.through_seq - v_new.from_seq + 1 or v_found.rows_sha256 is distinct from p_rows or not v_found.whole
         or v_found.chains <> jsonb_array_length(p_archive -> 'owners') then
        raise exception 'the chains are not those of the file, are not whole, or have not ended long enough ago' using errcode = 'CN409';
      end if;
      v_new.first_at := v_found.first_at;
      v_new.last_at := v_found.last_at;
      insert into ${archive} select (v_new).*;
      insert into ${places} (tenant_id, ${owner}, archive_id, first_row, events, head_hash)
      select v_new.tenant_id, c.${owner}, v_new.id, v_new.from_seq + sum(c.events) over (order by c.${owner}) - c.events, c.events,
             (select y.hash from ${table} y where y.${owner} = c.${owner} and y.seq = c.events)
        from (select y.${owner}, count(*)::integer as events from ${table} y where y.${owner} = any (v_owners) group by y.${owner}) c;
      delete from ${table} y using ${places} p
       where p.archive_id = v_new.id and y.${owner} = p.${owner} and y.seq <= p.events;
      return true;
    end $$;`;
}

function grants({ chain: { schema, table }, archive }: ArchivedChains): string {
  return `
    revoke all on function ${schema}.next_${archive}, ${schema}.record_${archive}, ${schema}.keep_${table} from public;
    grant execute on function ${schema}.next_${archive}, ${schema}.record_${archive} to ${schema}_app;`;
}
