import 'reflect-metadata';
import { runApp } from '@constancia/http';
import { migrate } from '@constancia/persistence';
import { createApp } from './app.ts';
import { SigningConfig } from './config.ts';
import { SIGNING } from './migrations/all.ts';

await runApp({
  name: 'signing',
  config: SigningConfig,
  createApp,
  migrate: (ownerUrl) => migrate(ownerUrl, SIGNING),
});
