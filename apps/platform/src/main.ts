import 'reflect-metadata';
import { runApp } from '@constancia/http';
import { migrate } from '@constancia/persistence';
import { createApp } from './app.ts';
import { PlatformConfig } from './config.ts';
import { PLATFORM } from './migrations/all.ts';

await runApp({
  name: 'platform',
  config: PlatformConfig,
  createApp,
  migrate: (ownerUrl) => migrate(ownerUrl, PLATFORM),
});
