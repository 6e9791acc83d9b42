import 'reflect-metadata';
import { runApp } from '@constancia/http';
import { SecretBox } from '@constancia/kernel';
import { migrate, reseal } from '@constancia/persistence';
import { createApp } from './app.module.ts';
import { PlatformConfig, PlatformMigrationConfig, PlatformResealConfig } from './config.ts';
import { IDENTITY } from './identity/migrations/all.ts';
import { IDENTITY_SEALED } from './identity/sealed.ts';
import { PLATFORM } from './migrations/all.ts';
import { SSO_SECRET } from './sso/sso-secret.ts';
import { SEALED } from './tenants/webhook-secret.ts';

await runApp({
  name: 'platform',
  config: PlatformConfig,
  createApp,
  migration: PlatformMigrationConfig,
  migrate: async ({ databaseUrl, identityDatabaseUrl }) => [
    ...(await migrate(databaseUrl, PLATFORM)),
    ...(await migrate(identityDatabaseUrl, IDENTITY)),
  ],
  resealing: PlatformResealConfig,
  reseal: async ({ databaseUrl, identityDatabaseUrl, secretsKey, derivedKeys }) => {
    const box = SecretBox.ofSecret({ secretsKey, derivedKeys });
    return {
      ...(await reseal(databaseUrl, box, [...SEALED, SSO_SECRET])),
      ...(await reseal(identityDatabaseUrl, box, IDENTITY_SEALED)),
    };
  },
});
