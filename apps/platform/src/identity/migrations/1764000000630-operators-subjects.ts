import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For operators: the newest flow sessions of a subject, nothing of whom. */
export class OperatorsSubjects1764000000630 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function identity.ops_subject_sessions(p_subject_id uuid, p_limit integer)
      returns table (id uuid, tenant_id uuid, status text, created_at timestamptz)
      language sql stable security definer set search_path = identity, pg_temp as $$
        select s.id, s.tenant_id, s.status, s.created_at from flow_session s
         where s.subject_id = p_subject_id order by s.id desc limit p_limit
      $$`);
    await runner.query('revoke all on function identity.ops_subject_sessions from public');
    await runner.query('grant execute on function identity.ops_subject_sessions to identity_app');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
