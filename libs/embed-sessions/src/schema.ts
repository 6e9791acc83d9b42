import type { EmbedKind } from '@constancia/contracts';
import { tenantTable } from '@constancia/persistence';

/** What a schema calls the embed sessions of a kind, and their functions. */
export interface EmbedNames {
  table: string;
  resolve: string;
  remove: string;
}

/** @param prefix of a second kind in the schema: `consent_` */
export const embedNames = (schema: string, prefix = ''): EmbedNames => ({
  table: `${prefix}embed_session`,
  resolve: `${schema}.resolve_${prefix}embed_token`,
  remove: `${schema}.delete_${prefix}embed_sessions`,
});

interface EmbedSchema {
  kind: EmbedKind;
  /** Of embedNames. */
  prefix?: string;
  /** The table of what is shown, with its schema. */
  target: string;
  /** Further columns of the module, each after a comma. */
  columns?: string;
  /** What the look-up of a token also reads of what is shown, and when it finds nothing, although the embed session itself is valid. */
  found: {
    /** As `name type`, each after a comma: `, subject_id uuid`. */
    columns: string;
    /** Their values: `, s.subject_id`. */
    values: string;
    /** `join … on …`; the embed session is `e`. */
    joins: string;
    /** `and …` */
    conditions: string;
  };
}

/**
 * SQL of a module's table of embed sessions: the entity (EmbedSessionRow), the look-up of tokens and the removal of old rows. access_hash: of
 * the token that the one frame got which opened the session.
 */
export function embedSessionSchema(
  schema: string,
  { kind, prefix = '', target, columns = '', found }: EmbedSchema,
): string[] {
  const { table, resolve, remove } = embedNames(schema, prefix);
  const creation = `
    create table ${schema}.${table} (
      id uuid primary key,
      tenant_id uuid not null,
      kind text not null check (kind = '${kind}'),
      target_id uuid not null references ${target},
      token_hash bytea not null check (octet_length(token_hash) = 32),
      allowed_origins text[] not null check (cardinality(allowed_origins) between 1 and 10),
      locale text check (locale in ('es-CO', 'en')),
      theme jsonb not null,
      external_ref text,
      metadata jsonb not null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      revoked_at timestamptz(3),
      exchanged_at timestamptz(3),
      parent_origin text,
      access_hash bytea check (octet_length(access_hash) = 32),
      access_used_at timestamptz(3)${columns},
      check ((exchanged_at is null) = (access_hash is null))
    );
    create unique index ${table}_token on ${schema}.${table} (token_hash);
    create index ${table}_target on ${schema}.${table} (target_id);
    create index ${table}_expiry on ${schema}.${table} (expires_at)`;
  /** has_access: whether the access token with the second hash is that of its frame, and was used within the last p_access_seconds. */
  const lookUp = `
    create function ${resolve}(p_token_hash bytea, p_access_hash bytea, p_access_seconds int)
    returns table (embed_id uuid, tenant_id uuid, target_id uuid, allowed_origins text[], parent_origin text, locale text,
                   expires_at timestamptz, has_access boolean, idle_seconds double precision${found.columns})
    language sql stable security definer set search_path = ${schema}, pg_temp as $$
      select e.id, e.tenant_id, e.target_id, e.allowed_origins, e.parent_origin, e.locale, e.expires_at,
             coalesce(e.access_hash = p_access_hash and e.access_used_at > now() - make_interval(secs => p_access_seconds), false),
             extract(epoch from now() - e.access_used_at)::double precision${found.values}
        from ${table} e ${found.joins}
       where e.token_hash = p_token_hash and e.revoked_at is null and e.expires_at > now() ${found.conditions}
    $$;
    revoke all on function ${resolve} from public;
    grant execute on function ${resolve} to ${schema}_app`;
  /** Deletes embed sessions that expired days ago; answers how many. */
  const removal = `
    create function ${remove}(p_limit integer, p_days integer) returns integer
    language sql volatile security definer set search_path = ${schema}, pg_temp as $$
      with due as (
        select e.id from ${table} e where e.expires_at <= now() - make_interval(days => p_days)
         order by e.expires_at limit p_limit for update of e skip locked
      ), deleted as (
        delete from ${table} e using due where e.id = due.id returning 1
      )
      select count(*)::integer from deleted
    $$;
    revoke all on function ${remove} from public;
    grant execute on function ${remove} to ${schema}_app`;
  return [creation, tenantTable(schema, table), lookUp, removal];
}
