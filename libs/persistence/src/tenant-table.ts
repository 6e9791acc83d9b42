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

/**
 * SQL that makes a table tenant-owned: row-level security, forced, so that the app role sees and writes only rows whose
 * tenant_id is the transaction's tenant. The owner role passes, so that the schema's own SECURITY DEFINER functions can sweep
 * across tenants. Grants default to select, insert and update: append-only tables take less.
 */
export function tenantTable(
  schema: string,
  table: string,
  grants: ('select' | 'insert' | 'update' | 'delete')[] = ['select', 'insert', 'update'],
): string {
  const tenant = "nullif(current_setting('app.tenant_id', true), '')::uuid";
  return `
    alter table ${schema}.${table} enable row level security;
    alter table ${schema}.${table} force row level security;
    create policy tenant_rows on ${schema}.${table} to ${appRole(schema)}
      using (tenant_id = ${tenant}) with check (tenant_id = ${tenant});
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
