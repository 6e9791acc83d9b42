import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the owner of a tenant is written to, for modules that have something to report: of the transaction's own tenant alone. */
export class TenantContact1764000000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [TENANT_CONTACT, GRANTS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function platform_v1.tenant_contact');
  }
}

const TENANT_CONTACT = `
  create function platform_v1.tenant_contact() returns table (owner_email text, locale text)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select t.owner_email, t.locale from tenant t where t.id = nullif(current_setting('app.tenant_id', true), '')::uuid
  $$`;

const GRANTS = `
  revoke all on function platform_v1.tenant_contact from public;
  grant execute on function platform_v1.tenant_contact to signing_app`;
