import 'reflect-metadata';
import { MigrationConfig } from '@constancia/config';
import { runApp } from '@constancia/http';
import { migrate } from '@constancia/persistence';
import { createApp } from './app.ts';
import { ComplianceConfig } from './config.ts';
import { COMPLIANCE } from './migrations/all.ts';

await runApp({
  name: 'compliance',
  config: ComplianceConfig,
  createApp,
  migration: MigrationConfig,
  migrate: ({ databaseUrl }) => migrate(databaseUrl, COMPLIANCE),
});
