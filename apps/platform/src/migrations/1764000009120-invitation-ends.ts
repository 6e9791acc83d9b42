import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when the last link of an invitation works, so that an expired invitation is seen and sent again. */
export class InvitationEnds1764000009120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table platform.member add column invitation_ends_at timestamptz(3)');
    await runner.query(`
      update platform.member m set invitation_ends_at = l.ends
        from (select member_id, max(expires_at) as ends from platform.member_link group by member_id) l
       where l.member_id = m.id and m.status = 'invited'`);
    await runner.query(ISSUE_LOGIN_LINK);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const ISSUE_LOGIN_LINK = `
  create or replace function platform.issue_login_link(p_tenant_id uuid, p_email text, p_token_hash bytea, p_ttl_seconds integer) returns void
  language sql volatile security definer set search_path = platform, pg_temp as $$
    with link as (
      insert into member_link (token_hash, tenant_id, member_id, expires_at)
      select p_token_hash, m.tenant_id, m.id, now() + make_interval(secs => p_ttl_seconds)
        from member m where m.tenant_id = p_tenant_id and lower(m.email) = lower(p_email) and m.status <> 'suspended'
      returning member_id, expires_at
    )
    update member m set invitation_ends_at = link.expires_at from link where m.id = link.member_id and m.status = 'invited'
  $$`;
