import type pg from 'pg';

/** What a release expects of the database, by schema-qualified name. Sorted, so that two of them compare line by line. */
export interface SchemaContract {
  migrations: string[];
  /** Column by `schema.table.column`: its type, and whether an insert may leave it out. */
  columns: Record<string, { type: string; optional: boolean }>;
  /** Function by `schema.name(arguments)`: what it returns. */
  functions: Record<string, string>;
  /** What app roles may do: `signing_app insert signing.template`, `signing_app execute signing.claim(…)`. */
  grants: string[];
}

const OURS = `('platform', 'platform_v1', 'identity', 'compliance', 'signing')`;

/** Reads it out of a migrated database, as superuser. */
export async function readContract(client: pg.Client): Promise<SchemaContract> {
  const rows = async <Row>(sql: string): Promise<Row[]> => (await client.query(sql)).rows as Row[];
  const migrations: string[] = [];
  for (const schema of ['platform', 'identity', 'compliance', 'signing']) {
    const applied = await rows<{ name: string }>(`select name from ${schema}.migration`);
    migrations.push(...applied.map(({ name }) => `${schema} ${name}`));
  }
  const columns = await rows<{ name: string; type: string; optional: boolean }>(`
    select format('%s.%s.%s', n.nspname, c.relname, a.attname) as name, format_type(a.atttypid, a.atttypmod) as type,
           not a.attnotnull or a.atthasdef or a.attidentity <> '' as optional
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ${OURS} and c.relkind in ('r', 'p', 'v') and not c.relispartition and a.attnum > 0
       and not a.attisdropped order by name`);
  const functions = await rows<{ name: string; returns: string }>(`
    select format('%s.%s(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as name,
           pg_get_function_result(p.oid) as returns
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ${OURS} and p.prokind = 'f' order by name`);
  const grants = await rows<{ grant: string }>(`
    select format('%s %s %s.%s', r.rolname, lower(a.privilege_type), n.nspname, c.relname) as grant
      from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
     where n.nspname in ${OURS} and not c.relispartition and r.rolname like '%\\_app'
    union all
    select format('%s execute %s.%s(%s)', r.rolname, n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace, aclexplode(p.proacl) a join pg_roles r on r.oid = a.grantee
     where n.nspname in ${OURS} and r.rolname like '%\\_app'`);
  return {
    migrations: migrations.toSorted(),
    columns: Object.fromEntries(columns.map(({ name, type, optional }) => [name, { type, optional }])),
    functions: Object.fromEntries(functions.map(({ name, returns }) => [name, returns])),
    grants: grants.map(({ grant }) => grant).toSorted(),
  };
}

/** What the release before would miss, or be refused, on the schemas of this one; empty when it can stay beside it. */
export function breaks(before: SchemaContract, now: SchemaContract): string[] {
  const grants = new Set(now.grants);
  const migrations = new Set(now.migrations);
  const tables = new Set(Object.keys(before.columns).map(tableOf));
  return [
    ...before.migrations.filter((name) => !migrations.has(name)).map((name) => `the migration ${name} is gone`),
    ...Object.entries(before.columns).flatMap(([name, { type, optional }]) => {
      const column = now.columns[name];
      if (column === undefined) return [`the column ${name} is gone`];
      if (column.type !== type) return [`the column ${name} was ${type} and is ${column.type}`];
      return optional && !column.optional ? [`the column ${name} may not be left out any more`] : [];
    }),
    ...Object.entries(now.columns)
      .filter(([name, { optional }]) => !(name in before.columns) && tables.has(tableOf(name)) && !optional)
      .map(([name]) => `the new column ${name} may not be left out: the release before does not know it`),
    ...Object.entries(before.functions).flatMap(([name, returns]) => {
      if (!(name in now.functions)) return [`the function ${name} is gone: publish a second one beside it`];
      return now.functions[name] === returns
        ? []
        : [`the function ${name} returned ${returns} and returns something else`];
    }),
    ...before.grants.filter((grant) => !grants.has(grant)).map((grant) => `the grant is gone: ${grant}`),
  ];
}

const tableOf = (column: string): string => column.slice(0, column.lastIndexOf('.'));
