import { createHash } from 'node:crypto';
import { canonicalJson } from '@constancia/kernel';
import { ownersTable, tenantTable } from './tenant-table.ts';

/**
 * Append-only tables of events, chained by hashes: every owner (a case, an envelope, a tenant) has a chain of its own.
 *
 * What is hashed, to the byte. An event as the API shows it has the members `seq` (1, 2, 3… without a gap), `type`, `at` (UTC,
 * milliseconds, `Z`), `data` (an object), `prev_hash`, `hash` and the table's own members. Then
 *
 *     hash = lower-case hex of SHA-256( prev_hash ‖ C )
 *
 * where `prev_hash` stands for its 64 ASCII characters (64 zeros in the first event, the hash of the event before in all
 * others), and `C` is the event without `hash`, `prev_hash` included, in canonical JSON (RFC 8785), UTF-8.
 *
 * The hash is computed in PostgreSQL, by the only function that can add a row, so that no process can write a link of its own
 * making; `verifyChain` computes it again from what is shown. Rows refuse UPDATE, DELETE and TRUNCATE, for the owner too. Who
 * goes around that (a superuser, a restored file) is found by the chain, and a chain that lost its tail by a head that was
 * kept elsewhere.
 */
export interface ChainedTable {
  schema: string;
  table: string;
  /**
   * The uuid column whose rows form one chain each; `tenant_id` for one chain per tenant; null for a table that is one chain
   * and belongs to no tenant (a `tenant_id` may be one of its members then).
   */
  owner: string | null;
  /** The event's own members, each a text or null. Columns have the same names. */
  members: readonly string[];
}

/** One chain for each owner. */
export type OwnedChain = ChainedTable & { owner: string };

const ZEROS = '0'.repeat(64);

/** SQL of an event's member in canonical JSON; `e` is the row. to_json escapes text as ECMAScript does. */
const COMMON_MEMBERS: Record<string, string> = {
  seq: 'e.seq::text',
  type: 'to_json(e.type)::text',
  at: `'"' || to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || 'Z"'`,
  data: 'e.data',
  prev_hash: 'to_json(e.prev_hash)::text',
};

/**
 * SQL that makes such a table, and `<schema>.append_<table>(p_tenant_id uuid, p_owner uuid, p_event jsonb)`, which adds one
 * event and answers its row; `(p_event jsonb)` alone for a table without an owner, which the app role cannot read either. `p_event`: `{type, data, …members}` with `data` as text that is canonical JSON already
 * (`canonicalJson`), of an object. The app role may read, not append: give it a function that checks whose the owner is.
 */
export function hashChain(chain: ChainedTable): string {
  const { schema, table, owner } = chain;
  const own = chain.members.map((member) => `"${member}"`);
  return `
    create table ${schema}.${table} (
      ${owner === null ? '' : 'tenant_id uuid not null,'}
      ${owner === null || owner === 'tenant_id' ? '' : `${owner} uuid not null,`}
      seq int not null check (seq > 0),
      type text not null,
      at timestamptz(3) not null,
      ${own.map((column) => `${column} text,`).join(' ')}
      data text not null check (json_typeof(data::json) = 'object'),
      prev_hash text not null check (prev_hash ~ '^[0-9a-f]{64}$'),
      hash text not null check (hash ~ '^[0-9a-f]{64}$'),
      primary key (${owner === null ? '' : `${owner}, `}seq)
    );
    ${owner === null ? ownersTable(schema, table) : tenantTable(schema, table, ['select'])}
    ${appendOnly(schema, table)}

    ${appendFunction(chain, 'create')}
    revoke all on function ${schema}.append_${table} from public;
  `;
}

interface AppendOptions {
  sealed?: boolean;
  /** SQL of the last link that is not in the table any more (continuedChain). */
  movedHead?: string;
}

function appendFunction(
  chain: ChainedTable,
  create: string,
  { sealed = false, movedHead }: AppendOptions = {},
): string {
  const { schema, table, owner } = chain;
  const fromMoved = `
      if before.seq is null then select m.seq, m.hash, null::timestamptz as at into before from (${movedHead}) m; end if;`;
  return `
    ${create} function ${schema}.append_${table}(${owner === null ? '' : 'p_tenant_id uuid, p_owner uuid, '}p_event jsonb)
    returns ${schema}.${table}
    language plpgsql security definer set search_path = ${schema}, pg_temp as $$
    declare
      before record;
      e ${schema}.${table};
    begin
      perform pg_advisory_xact_lock(hashtextextended('${schema}.${table}:'${owner === null ? '' : ' || p_owner'}, 0));
      select t.seq, t.hash, t.at into before from ${table} t
       ${owner === null ? '' : `where t.${owner} = p_owner`} order by t.seq desc limit 1;${movedHead === undefined ? '' : fromMoved}
      ${owner === null ? '' : `e.tenant_id := p_tenant_id; e.${owner} := p_owner;`}
      e.seq := coalesce(before.seq, 0) + 1;
      e.type := p_event ->> 'type';
      e.at := greatest(date_trunc('milliseconds', clock_timestamp()), before.at);
      ${chain.members.map((member) => `e."${member}" := p_event ->> '${member}';`).join(' ')}
      e.data := p_event ->> 'data';
      e.prev_hash := coalesce(before.hash, '${ZEROS}');
      e.hash := encode(sha256(convert_to(e.prev_hash || ${canonicalEvent(chain)}, 'UTF8')), 'hex');
      ${sealed ? `e.sealed := decode(p_event ->> 'sealed', 'hex');` : ''}
      insert into ${table} select (e).*;
      return e;
    end $$;
  `;
}

/**
 * SQL that lets events carry personal data that is not hashed: `p_event` may have `sealed` (hexadecimal), which is stored with the event.
 * What is hashed of it is up to the caller: a salted digest in `data`, so that the chain holds once the key is destroyed.
 */
export function sealedMembers(chain: ChainedTable): string {
  return `
    alter table ${chain.schema}.${chain.table} add column sealed bytea;
    ${appendFunction(chain, 'create or replace', { sealed: true })}
  `;
}

/**
 * SQL that lets a chain go on whose links were moved out of the table: `movedHead` is a query of `seq` and `hash` of the last of them, of
 * the chain of `p_owner`; no row: none was moved. It is asked where the table has no link of the chain. `sealed`: as sealedMembers made it.
 * What lets links be deleted is up to the caller.
 */
export function continuedChain(chain: ChainedTable, movedHead: string, { sealed = false } = {}): string {
  return appendFunction(chain, 'create or replace', { movedHead, sealed });
}

/** SQL that takes the table and its function away again. */
export function dropHashChain({ schema, table }: ChainedTable): string {
  return `drop function ${schema}.append_${table}; drop table ${schema}.${table}; drop function ${schema}.keep_${table};`;
}

/** SQL that makes a table refuse UPDATE, DELETE and TRUNCATE, for every role. */
export function appendOnly(schema: string, table: string): string {
  return `
    create function ${schema}.keep_${table}() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
    begin
      raise exception 'rows of ${schema}.${table} are never changed' using errcode = 'restrict_violation';
    end $$;
    create trigger keep before update or delete on ${schema}.${table}
      for each row execute function ${schema}.keep_${table}();
    create trigger keep_all before truncate on ${schema}.${table}
      for each statement execute function ${schema}.keep_${table}();
  `;
}

/** SQL of the canonical JSON of the row `e` without `hash`: members in the order of their UTF-16 code units. */
export function canonicalEvent({ members }: ChainedTable): string {
  const values = new Map(Object.entries(COMMON_MEMBERS));
  for (const member of members) values.set(member, `coalesce(to_json(e."${member}")::text, 'null')`);
  const parts = [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([member, sql]) => `'"${member}":' || ${sql}`);
  return `'{' || ${parts.join(" || ',' || ")} || '}'`;
}

/** An event as it is shown and hashed. */
export interface ChainedEvent {
  seq: number;
  prev_hash: string;
  hash: string;
}

/** A link that is known from elsewhere. */
export interface ChainHead {
  seq: number;
  hash: string;
}

/**
 * gap: `seq` is not the next number; broken_link: `prev_hash` is not the hash of the event before; altered: the hash is not that
 * of the event; truncated: the chain ends before a known link; replaced: a known link has another hash.
 */
export type ChainFault = 'gap' | 'broken_link' | 'altered' | 'truncated' | 'replaced';

export type ChainVerdict = { valid: true; head: ChainHead | null } | { valid: false; seq: number; fault: ChainFault };

/** The hash that an event must have (see ChainedTable for the bytes). */
export function eventHash(event: ChainedEvent): string {
  const { hash: _, ...hashed } = event;
  return createHash('sha256').update(event.prev_hash).update(canonicalJson(hashed)).digest('hex');
}

/**
 * Checks one whole chain, in order, and that it holds every link known from elsewhere (`known`: anchored heads). Answers the
 * first fault, with the `seq` at which it shows. `moved`: the last link that is elsewhere; what is known of those up to it is not
 * checked here.
 */
export function verifyChain(
  events: readonly ChainedEvent[],
  known: readonly ChainHead[] = [],
  moved: ChainHead = { seq: 0, hash: ZEROS },
): ChainVerdict {
  let before = moved;
  for (const event of events) {
    const fault = faultOf(event, before);
    if (fault) return { valid: false, seq: before.seq + 1, fault };
    before = { seq: event.seq, hash: event.hash };
  }
  for (const link of [...known].sort((a, b) => a.seq - b.seq)) {
    if (link.seq <= moved.seq) continue;
    const event = events[link.seq - moved.seq - 1];
    if (!event) return { valid: false, seq: before.seq + 1, fault: 'truncated' };
    if (event.hash !== link.hash) return { valid: false, seq: link.seq, fault: 'replaced' };
  }
  return { valid: true, head: before.seq === 0 ? null : before };
}

function faultOf(event: ChainedEvent, before: ChainHead): ChainFault | null {
  if (event.seq !== before.seq + 1) return 'gap';
  if (event.prev_hash !== before.hash) return 'broken_link';
  return event.hash === eventHash(event) ? null : 'altered';
}
