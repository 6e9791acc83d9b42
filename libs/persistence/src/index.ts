export { bootstrap, SCHEMAS, urlFor, whileMayCreate } from './bootstrap.ts';
export { Database } from './database.ts';
export type { DatabaseOptions, Tx } from './database.ts';
export { isUnavailable, isUniqueViolation, sqlState } from './errors.ts';
export { migrate } from './migrate.ts';
export { migrated } from './migrated.ts';
export { appRole, ownerRole, tenantTable } from './tenant-table.ts';
export type { ModuleSchema } from './tenant-table.ts';
