import type { Database } from './database.ts';
import { requireMigrated } from './migrate.ts';
import type { ModuleSchema } from './tenant-table.ts';

/** The check of an app's readiness: Postgres answers, and the schema has every migration that this build needs. */
export function migrated(database: Database, module: ModuleSchema): () => Promise<void> {
  let known = false;
  return async () => {
    if (known) return database.ping();
    await requireMigrated((sql) => database.query(sql), module);
    known = true;
  };
}
