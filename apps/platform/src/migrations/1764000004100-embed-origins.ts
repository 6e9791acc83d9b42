import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The origins whose pages may show embed sessions of a tenant. */
const EMBED_ORIGINS = `
  create table platform.embed_origins (
    tenant_id uuid primary key references platform.tenant,
    origins text[] not null,
    updated_at timestamptz(3) not null default now()
  )`;

export class EmbedOrigins1764000004100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [EMBED_ORIGINS, tenantTable('platform', 'embed_origins')]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table platform.embed_origins');
  }
}
