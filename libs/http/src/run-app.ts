import { ConfigInvalid, loadConfig, type MigrationConfig, runProgram } from '@constancia/config';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { HttpConfig } from './http-config.ts';
import { serve } from './serve.ts';

/** What main.ts of an app says about it. */
export interface AppProgram<Config extends HttpConfig, Migration extends MigrationConfig> {
  name: string;
  config: new () => Config;
  createApp(config: Config): Promise<NestFastifyApplication>;
  /** What the migrate command is configured with. */
  migration: new () => Migration;
  /** Brings the app's schemas up to date; answers the names of what was applied. */
  migrate(config: Migration): Promise<string[]>;
}

/** `node main.js` serves; `node main.js migrate` brings the schema up to date and ends. */
export function runApp<Config extends HttpConfig, Migration extends MigrationConfig>(
  app: AppProgram<Config, Migration>,
): Promise<void> {
  return runProgram(async () => {
    const command = process.argv[2];
    if (command === 'migrate') {
      const applied = await app.migrate(loadConfig(app.migration));
      console.log(applied.length > 0 ? `${app.name}: applied ${applied.join(', ')}` : `${app.name}: up to date`);
    } else if (command === undefined) {
      const config = loadConfig(app.config);
      await serve(await app.createApp(config), config);
    } else {
      throw new ConfigInvalid([`"${command}" is no command: give none to serve, or migrate`]);
    }
  });
}
