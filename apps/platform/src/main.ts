import 'reflect-metadata';
import { runApp } from '@constancia/http';
import { migrate } from '@constancia/persistence';
import { createApp } from './app.ts';
import { PlatformConfig, PlatformMigrationConfig } from './config.ts';
import { IDENTITY } from './identity/migrations/all.ts';
import { PLATFORM } from './migrations/all.ts';

await runApp({
  name: 'platform',
  config: PlatformConfig,
  createApp,
  migration: PlatformMigrationConfig,
  migrate: async ({ databaseUrl, identityDatabaseUrl }) => [
    ...(await migrate(databaseUrl, PLATFORM)),
    ...(await migrate(identityDatabaseUrl, IDENTITY)),
  ],
});
