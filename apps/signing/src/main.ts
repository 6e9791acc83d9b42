import 'reflect-metadata';
import { ConfigInvalid, loadConfig } from '@constancia/config';
import { serve } from '@constancia/http';
import { migrate } from '@constancia/persistence';
import { createApp } from './app.ts';
import { MigrationConfig, SigningConfig } from './config.ts';
import { SIGNING } from './migrations/all.ts';

/** `node main.js` serves; `node main.js migrate` brings the schema up to date and ends. */
async function main(command: string | undefined): Promise<void> {
  if (command === 'migrate') {
    const applied = await migrate(loadConfig(MigrationConfig).databaseUrl, SIGNING);
    console.log(applied.length > 0 ? `signing: applied ${applied.join(', ')}` : 'signing: up to date');
  } else if (command === undefined) {
    const config = loadConfig(SigningConfig);
    await serve(await createApp(config), config);
  } else {
    throw new ConfigInvalid([`"${command}" is no command: give none to serve, or migrate`]);
  }
}

try {
  await main(process.argv[2]);
} catch (error) {
  console.error(error instanceof ConfigInvalid ? error.message : error);
  process.exit(1);
}
