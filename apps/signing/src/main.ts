import 'reflect-metadata';
import { MigrationConfig, ResealConfig } from '@constancia/config';
import { runApp } from '@constancia/http';
import { SecretBox } from '@constancia/kernel';
import { finishUpgrade, migrate, reseal } from '@constancia/persistence';
import { createApp } from './app.module.ts';
import { SigningConfig } from './config.ts';
import { SIGNING } from './migrations/all.ts';
import { SEALED } from './sealed.ts';

await runApp({
  name: 'signing',
  config: SigningConfig,
  createApp,
  migration: MigrationConfig,
  migrate: ({ databaseUrl }) => migrate(databaseUrl, SIGNING),
  finish: ({ databaseUrl }) => finishUpgrade(databaseUrl, SIGNING),
  resealing: ResealConfig,
  reseal: ({ databaseUrl, secretsKey, derivedKeys }) =>
    reseal(databaseUrl, SecretBox.ofSecret({ secretsKey, derivedKeys }), SEALED),
});
