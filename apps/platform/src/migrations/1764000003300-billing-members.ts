import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notices about credits go to the active owners and billing members; to the owner's address while nobody has joined. */
export class BillingMembers1764000003300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace function platform.billing_recipients(p_tenant_id uuid) returns table (email text, locale text)
      language sql stable security definer set search_path = platform, pg_temp as $$
        with joined as (
          select m.email, m.locale from member m
           where m.tenant_id = p_tenant_id and m.status = 'active' and m.role in ('owner', 'billing')
        )
        select email, locale from joined
        union all
        select t.owner_email, t.locale from tenant t where t.id = p_tenant_id and not exists (select from joined)
      $$`);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
