import { tenantTable } from '@constancia/persistence';

/**
 * SQL of a module's idempotency table: one row per tenant and key, written in the same transaction as the work it answers
 * for. The body is the exact response text, sealed bytes when the response carries a once-only secret, or an
 * owner's answer (see owned-answers.ts).
 */
export function idempotencySchema(schema: string): string {
  return `
    create table ${schema}.idempotency_key (
      tenant_id uuid not null,
      key uuid not null,
      fingerprint bytea not null,
      status int,
      headers jsonb not null default '{}',
      body bytea,
      sealed boolean not null default false,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null default now() + interval '24 hours',
      primary key (tenant_id, key)
    );
    create index idempotency_key_expiry on ${schema}.idempotency_key (expires_at);
    ${tenantTable(schema, 'idempotency_key', ['select', 'insert', 'update', 'delete'])}

    create function ${schema}.purge_idempotency_keys(p_limit int default 5000) returns int
    language sql security definer set search_path = ${schema}, pg_temp as $$
      with expired as (
        select tenant_id, key from ${schema}.idempotency_key where expires_at < now() order by expires_at limit p_limit
        for update skip locked
      ), gone as (
        delete from ${schema}.idempotency_key k using expired e where k.tenant_id = e.tenant_id and k.key = e.key returning 1
      )
      select count(*)::int from gone
    $$;
    revoke all on function ${schema}.purge_idempotency_keys from public;
    grant execute on function ${schema}.purge_idempotency_keys to ${schema}_app;
  `;
}
