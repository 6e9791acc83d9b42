import 'reflect-metadata';
import { MigrationConfig, ResealConfig } from '@constancia/config';
import { runApp } from '@constancia/http';
import { sealedAnswers } from '@constancia/idempotency';
import { SecretBox } from '@constancia/kernel';
import { finishUpgrade, migrate, reseal } from '@constancia/persistence';
import { createApp } from './app.module.ts';
import { ComplianceConfig } from './config.ts';
import { COMPLIANCE } from './migrations/all.ts';

await runApp({
  name: 'compliance',
  config: ComplianceConfig,
  createApp,
  migration: MigrationConfig,
  migrate: ({ databaseUrl }) => migrate(databaseUrl, COMPLIANCE),
  finish: ({ databaseUrl }) => finishUpgrade(databaseUrl, COMPLIANCE),
  resealing: ResealConfig,
  reseal: ({ databaseUrl, secretsKey, derivedKeys }) =>
    reseal(databaseUrl, SecretBox.ofSecret({ secretsKey, derivedKeys }), [sealedAnswers('compliance')]),
});
