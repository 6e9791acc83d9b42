import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether X-Actor names a person for four eyes, and whether publishing needs two people; and the person who published a draft first. A
 * former process neither reads nor writes these columns, and publishes alone until it ends.
 */
export class SecondPersons1764000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table compliance.tenant_settings
        add column trusted_actor boolean not null default false,
        add column publish_four_eyes boolean not null default false`);
    await runner.query('alter table compliance.validation add column publication jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table compliance.validation drop column publication');
    await runner.query(
      'alter table compliance.tenant_settings drop column trusted_actor, drop column publish_four_eyes',
    );
  }
}
