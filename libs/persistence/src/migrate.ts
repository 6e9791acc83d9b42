import pg from 'pg';
import { DataSource } from 'typeorm';
import { appRole, type ModuleSchema } from './tenant-table.ts';

/**
 * Brings one module's schema up to date, as its owner role, under an advisory lock: two runs at once apply each
 * migration once. Answers the names that were applied.
 */
export async function migrate(ownerUrl: string, module: ModuleSchema): Promise<string[]> {
  const lock = new pg.Client({ connectionString: ownerUrl, application_name: `${module.schema}-migrate-lock` });
  await lock.connect();
  const source = new DataSource({
    type: 'postgres',
    url: ownerUrl,
    schema: module.schema,
    migrations: module.migrations as never[],
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    logging: false,
    applicationName: `${module.schema}-migrate`,
    poolSize: 2,
  });
  try {
    await lock.query('select pg_advisory_lock(hashtext($1))', [`migrate:${module.schema}`]);
    await source.initialize();
    const isNew = !(await hasMigrations(source, module));
    const applied = await source.runMigrations();
    if (isNew && module.finish !== undefined) await source.query(module.finish);
    await source.query(`grant select on ${module.schema}.migration to ${appRole(module.schema)}`);
    return applied.map((migration) => migration.name);
  } finally {
    if (source.isInitialized) await source.destroy();
    await lock.end();
  }
}

async function hasMigrations(source: DataSource, { schema }: ModuleSchema): Promise<boolean> {
  const [found] = await source.query<{ found: boolean }[]>(`select to_regclass($1) is not null as found`, [
    `${schema}.migration`,
  ]);
  return found?.found ?? false;
}

/** Ends an upgrade, as the schema's owner: only once no copy of the release before runs, for none may run afterwards. */
export async function finishUpgrade(ownerUrl: string, module: ModuleSchema): Promise<void> {
  if (module.finish === undefined) return;
  const client = new pg.Client({ connectionString: ownerUrl, application_name: `${module.schema}-finish` });
  await client.connect();
  try {
    await client.query(module.finish);
  } finally {
    await client.end();
  }
}

/** Throws when the schema lacks a migration that this build needs. A newer schema is fine (expand, migrate, contract). */
export async function requireMigrated(
  query: (sql: string) => Promise<{ name: string }[]>,
  module: ModuleSchema,
): Promise<void> {
  const known = new Set((await query(`select name from ${module.schema}.migration`)).map((row) => row.name));
  const missing = module.migrations.map((migration) => migration.name).filter((name) => !known.has(name));
  if (missing.length > 0) {
    throw new Error(`schema ${module.schema} lacks ${missing.join(', ')}: run this app's migrate command first`);
  }
}
