import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Seconds that the oldest mail to a signer has been waiting to be taken by the mail server; 0 when none waits. */
export class MailLag1763700000960 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function signing.signer_mail_lag() returns double precision
      language sql stable security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
        select coalesce(extract(epoch from now() - min(created_at)), 0)::double precision
          from signer_mail where sent_at is null and failed_at is null
      $$;
      revoke all on function signing.signer_mail_lag from public;
      grant execute on function signing.signer_mail_lag to signing_app`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function signing.signer_mail_lag');
  }
}
