import 'reflect-metadata';
import { MigrationConfig } from '@constancia/config';
import { runApp } from '@constancia/http';
import { migrate } from '@constancia/persistence';
import { createApp } from './app.ts';
import { SigningConfig } from './config.ts';
import { SIGNING } from './migrations/all.ts';

await runApp({
  name: 'signing',
  config: SigningConfig,
  createApp,
  migration: MigrationConfig,
  migrate: ({ databaseUrl }) => migrate(databaseUrl, SIGNING),
});
