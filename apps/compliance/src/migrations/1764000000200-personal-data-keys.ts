import { personalDataSchema } from '@constancia/personal-data';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys that personal data of this schema is sealed with. */
export class PersonalDataKeys1764000000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(personalDataSchema('compliance'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function compliance.claim_subject_key`);
    await runner.query(`drop table compliance.personal_data_mode, compliance.subject_key, compliance.tenant_key`);
  }
}
