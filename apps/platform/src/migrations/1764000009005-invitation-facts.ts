import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever has the link of an invitation learns from which organization it is before they accept it. */
export class InvitationFacts1764000009005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(INVITATION);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** No row without a link that would sign its member in now. Uses nothing up. */
const INVITATION = `
  create function platform.invitation_of_link(p_token_hash bytea) returns table (organization text, email text, role text)
  language sql stable security definer set search_path = platform, pg_temp as $$
    select t.display_name, m.email, m.role
      from member_link l join member m on m.id = l.member_id join tenant t on t.id = m.tenant_id
     where l.token_hash = p_token_hash and l.expires_at > clock_timestamp() and m.status <> 'suspended'
  $$;
  revoke all on function platform.invitation_of_link from public;
  grant execute on function platform.invitation_of_link to platform_app`;
