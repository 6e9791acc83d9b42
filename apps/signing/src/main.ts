import fs from 'node:fs';
import path from 'node:path';
import { ConfigInvalid, loadConfig } from '@constancia/config';
import { serve } from '@constancia/http';
import { migrate } from '@constancia/persistence';
import { createApp } from './app.ts';
import { MigrationConfig, SigningConfig } from './config.ts';
import { SIGNING } from './migrations/all.ts';

/** node main.js: serves the signing host. node main.js migrate: brings schema signing up to date. */
async function main(command: string | undefined): Promise<void> {
  if (command === 'migrate') {
    const applied = await migrate(loadConfig(MigrationConfig).databaseUrl, SIGNING);
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema signing is up to date.');
    return;
  }
  const config = loadConfig(SigningConfig);
  const openapiFile = path.join(import.meta.dirname, 'api/signing.v1.yaml');
  const app = await createApp(config, { openapiFile: fs.existsSync(openapiFile) ? openapiFile : undefined });
  await serve(app, config);
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof ConfigInvalid ? error.message : error);
  process.exit(1);
});
