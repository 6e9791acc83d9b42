import 'reflect-metadata';
import { ConfigInvalid, loadConfig } from '@constancia/config';
import { serve } from '@constancia/http';
import { migrate } from '@constancia/persistence';
import { createApp } from './app.ts';
import { MigrationConfig, PlatformConfig } from './config.ts';
import { PLATFORM } from './migrations/all.ts';

/** `node main.js` serves; `node main.js migrate` brings the schema up to date and ends. */
async function main(command: string | undefined): Promise<void> {
  if (command === 'migrate') {
    const applied = await migrate(loadConfig(MigrationConfig).databaseUrl, PLATFORM);
    console.log(applied.length > 0 ? `platform: applied ${applied.join(', ')}` : 'platform: up to date');
  } else if (command === undefined) {
    const config = loadConfig(PlatformConfig);
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
