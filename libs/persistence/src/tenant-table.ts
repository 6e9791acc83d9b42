/** The schema of one module, what creates it and who uses it. */
export interface ModuleSchema {
  /** PostgreSQL schema name; roles are `<schema>_owner` (migrations) and `<schema>_app` (the processes). */
  schema: string;
  /** TypeORM migration classes, in order. */
  migrations: NewableFunction[];
  /**
   * What ends the upgrade to this release once no copy of the one before runs: one SQL statement, harmless again. A new database gets it
   * with its migrations, since no former copy knows it.
   */
  finish?: string;
}

export const ownerRole = (schema: string): string => `${schema}_owner`;
export const appRole = (schema: string): string => `${schema}_app`;

type Grant = 'select' | 'insert' | 'update' | 'delete';
const USUAL_GRANTS: readonly Grant[] = ['select', 'insert', 'update'];

/** Whose rows a table holds. A row names its owner in the column `<owner>_id`; a transaction sets `app.<owner>_id` (Database). */
export type RowOwner = 'tenant' | 'wallet';

/**
 * SQL that makes a table tenant-owned: row-level security, forced, so that the app role sees and writes only rows whose
 * tenant_id is the transaction's tenant. The owner role passes, so that the schema's own SECURITY DEFINER functions can sweep
 * across tenants. Grants default to select, insert and update: append-only tables take less.
 */
export function tenantTable(schema: string, table: string, grants: readonly Grant[] = USUAL_GRANTS): string {
  return ownedTable('tenant', schema, table, grants);
}

/** The same for a table of wallets, which belong to persons and to no tenant: by wallet_id. */
export function walletTable(schema: string, table: string, grants: readonly Grant[] = USUAL_GRANTS): string {
  return ownedTable('wallet', schema, table, grants);
}

function ownedTable(owner: RowOwner, schema: string, table: string, grants: readonly Grant[]): string {
  const own = `${owner}_id = nullif(current_setting('app.${owner}_id', true), '')::uuid`;
  return `
    alter table ${schema}.${table} enable row level security;
    alter table ${schema}.${table} force row level security;
    create policy ${owner}_rows on ${schema}.${table} to ${appRole(schema)} using (${own}) with check (${own});
    create policy owner_rows on ${schema}.${table} to ${ownerRole(schema)} using (true) with check (true);
    ${grants.length > 0 ? `grant ${grants.join(', ')} on ${schema}.${table} to ${appRole(schema)};` : ''}
  `;
}

/** SQL that makes a table the owner role's alone: what others may do with it goes through the schema's own functions. */
export function ownersTable(schema: string, table: string): string {
  return `
    alter table ${schema}.${table} enable row level security;
    alter table ${schema}.${table} force row level security;
    create policy owner_rows on ${schema}.${table} to ${ownerRole(schema)} using (true) with check (true);
  `;
}
