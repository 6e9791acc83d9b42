import { DataSource } from 'typeorm';
import type { TestDatabase } from './test-database.ts';

/** Tables of a schema, each with its columns: `type`, `not null` and `primary key`, in words of PostgreSQL. */
export type SchemaTables = Record<string, Record<string, string>>;

/** As the database has them, partitions aside, and aside the table in which TypeORM notes migrations. */
export async function storedTables(database: Pick<TestDatabase, 'query'>, schema: string): Promise<SchemaTables> {
  const rows = await database.query<{ table: string; column: string; type: string; required: boolean; key: boolean }>(
    `select t.relname as "table", c.attname as "column", format_type(c.atttypid, c.atttypmod) as type, c.attnotnull as required,
            exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary and c.attnum = any (i.indkey)) as key
       from pg_class t
       join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
      where t.relnamespace = $1::regnamespace and t.relkind in ('r', 'p') and not t.relispartition and t.relname <> 'migration'`,
    [schema],
  );
  const tables: SchemaTables = {};
  for (const { table, column, type, required, key } of rows) {
    (tables[table] ??= {})[column] = columnText(type, required, key);
  }
  return tables;
}

/**
 * As the entities say. Throws when two of them are of one table, or one is of another schema.
 *
 * @param keyless tables without a primary key: TypeORM wants one named, the database has none
 */
export async function entityTables(
  database: Pick<TestDatabase, 'owner'>,
  schema: string,
  entities: readonly NewableFunction[],
  keyless: readonly string[] = [],
): Promise<SchemaTables> {
  const url = database.owner(schema);
  const source = new DataSource({
    type: 'postgres',
    url,
    schema,
    entities: entities as never[],
    installExtensions: false,
  });
  await source.initialize();
  try {
    const tables: SchemaTables = {};
    for (const { name, tableName, schema: own, columns } of source.entityMetadatas) {
      if (own !== schema) throw new Error(`${name} is of schema ${own}`);
      if (tables[tableName]) throw new Error(`${name} is not the only entity of ${tableName}`);
      tables[tableName] = Object.fromEntries(
        columns.map((column) => {
          const precision = column.precision == null ? '' : `(${column.precision})`;
          const type = source.driver.normalizeType(column).replace('timestamp', `timestamp${precision}`);
          const text = columnText(
            column.isArray ? `${type}[]` : type,
            !column.isNullable,
            column.isPrimary && !keyless.includes(tableName),
          );
          return [column.databaseName, text];
        }),
      );
    }
    return tables;
  } finally {
    await source.destroy();
  }
}

function columnText(type: string, required: boolean, key: boolean): string {
  return `${type}${required ? ' not null' : ''}${key ? ' primary key' : ''}`;
}
