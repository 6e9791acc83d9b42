import { tenantTable } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How a tenant works; no row means the defaults. */
const SETTINGS = `
  create table compliance.tenant_settings (
    tenant_id uuid primary key,
    four_eyes text not null default 'off',
    monitoring boolean not null default true,
    updated_at timestamptz not null default now(),
    constraint tenant_settings_four_eyes check (four_eyes in ('off', 'onu', 'all'))
  )`;

export class Settings1763700000110 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SETTINGS);
    await runner.query(tenantTable('compliance', 'tenant_settings'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table compliance.tenant_settings`);
  }
}
