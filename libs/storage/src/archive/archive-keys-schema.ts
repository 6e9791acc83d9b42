import { appRole, ownersTable } from '@constancia/persistence';

/**
 * SQL of what a schema needs to keep the public keys that its archives were signed with: `archive_key`, which nobody changes, and the
 * functions that read and add to it. They are nobody's data: a file verifies after its key was replaced.
 */
export function archiveKeysSchema(schema: string): string {
  return `
    create table ${schema}.archive_key (
      fingerprint bytea primary key check (octet_length(fingerprint) = 32),
      key_arn text not null,
      public_key_pem text not null,
      created_at timestamptz not null default now()
    );
    ${ownersTable(schema, 'archive_key')}

    create function ${schema}.archive_keys() returns setof ${schema}.archive_key
    language sql stable security definer set search_path = ${schema}, pg_temp as $$
      select * from archive_key order by created_at desc limit 1000
    $$;

    create function ${schema}.keep_archive_key(p_fingerprint bytea, p_key_arn text, p_public_key_pem text) returns void
    language sql security definer set search_path = ${schema}, pg_temp as $$
      insert into archive_key (fingerprint, key_arn, public_key_pem) values (p_fingerprint, p_key_arn, p_public_key_pem)
      on conflict do nothing
    $$;

    revoke all on function ${schema}.archive_keys, ${schema}.keep_archive_key from public;
    grant execute on function ${schema}.archive_keys, ${schema}.keep_archive_key to ${appRole(schema)};
  `;
}
