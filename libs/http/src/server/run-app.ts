import { ConfigInvalid, loadConfig, type MigrationConfig, runProgram } from '@constancia/config';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { HttpConfig } from '../http-config.ts';
import { serve } from './serve.ts';

/** What main.ts of an app says about it. */
export interface AppProgram<
  Config extends HttpConfig,
  Migration extends MigrationConfig,
  Reseal extends MigrationConfig,
> {
  name: string;
  config: new () => Config;
  createApp(config: Config): Promise<NestFastifyApplication>;
  /** What the migrate command is configured with. */
  migration: new () => Migration;
  /** Brings the app's schemas up to date; answers the names of what was applied. */
  migrate(config: Migration): Promise<string[]>;
  /** Ends the upgrade to this release, for schemas that have an end of it. */
  finish?(config: Migration): Promise<void>;
  /** What the reseal command is configured with. */
  resealing: new () => Reseal;
  /** Seals again what a former SECRETS_KEY sealed; answers how many values, by column. */
  reseal(config: Reseal): Promise<Record<string, number>>;
}

/**
 * `node main.js` serves; `node main.js migrate` brings the schema up to date and ends, with `--finish` it also ends the upgrade; `node main.js reseal` seals with the first
 * SECRETS_KEY what another one sealed, and ends.
 */
export function runApp<Config extends HttpConfig, Migration extends MigrationConfig, Reseal extends MigrationConfig>(
  app: AppProgram<Config, Migration, Reseal>,
): Promise<void> {
  return runProgram(async () => {
    const command = process.argv[2];
    if (command === 'migrate') {
      const migration = loadConfig(app.migration);
      const applied = await app.migrate(migration);
      console.log(applied.length > 0 ? `${app.name}: applied ${applied.join(', ')}` : `${app.name}: up to date`);
      if (process.argv[3] === '--finish') {
        await app.finish?.(migration);
        console.log(`${app.name}: the upgrade is finished`);
      }
    } else if (command === 'reseal') {
      const resealed = Object.entries(await app.reseal(loadConfig(app.resealing)));
      console.log(`${app.name}: ${resealed.map(([column, count]) => `${column} ${count}`).join(', ')}`);
    } else if (command === undefined) {
      const config = loadConfig(app.config);
      await serve(await app.createApp(config), config);
    } else {
      throw new ConfigInvalid([`"${command}" is no command: give none to serve, migrate, or reseal`]);
    }
  });
}
