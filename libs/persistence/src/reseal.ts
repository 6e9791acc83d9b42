import type { SecretBox } from '@constancia/kernel';
import pg from 'pg';

/** A column whose values are sealed with SECRETS_KEY (libs/kernel, SecretBox). */
export interface SealedColumn {
  /** With its schema. */
  table: string;
  /** Columns of the primary key. */
  key: readonly string[];
  column: string;
  /** What a row's value is bound to. `row` has the columns of the key, as text. */
  context(row: Record<string, string>): string;
  /** Rows whose value is sealed, where not all of the column's are. */
  where?: string;
}

const BATCH = 500;

/**
 * Seals values again that another key than the box's first sealed, as the schema's owner, while everything runs: a value that changes
 * meanwhile was sealed by who changed it. Run again it does what is left. Answers how many, by `table.column`.
 * Throws when a value does not open with any of the box's keys; what was done until then stays done.
 */
export async function reseal(
  ownerUrl: string,
  box: SecretBox,
  columns: readonly SealedColumn[],
): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'reseal' });
  await client.connect();
  try {
    const resealed: Record<string, number> = {};
    for (const column of columns)
      resealed[`${column.table}.${column.column}`] = await resealColumn(client, box, column);
    return resealed;
  } finally {
    await client.end();
  }
}

async function resealColumn(client: pg.Client, box: SecretBox, sealed: SealedColumn): Promise<number> {
  const { table, key, column, where = 'true' } = sealed;
  const keys = key.map((name) => `${name}::text`);
  // The key's id stands after the version's byte.
  const due = `select ${keys.join(', ')}, ${column} as sealed from ${table}
    where (${where}) and ${column} is not null and substring(${column} from 2 for ${box.keyId.length}) <> $1 limit ${BATCH}`;
  const named = key.map((name, index) => `${name}::text = $${index + 3}`).join(' and ');
  const replace = `update ${table} set ${column} = $1 where ${column} = $2 and ${named}`;
  for (let count = 0; ;) {
    const { rows } = await client.query<Record<string, string> & { sealed: Buffer }>(due, [box.keyId]);
    if (rows.length === 0) return count;
    await client.query('begin');
    for (const { sealed: value, ...row } of rows as unknown as (Record<string, string> & { sealed: Buffer })[]) {
      const context = sealed.context(row);
      const { rowCount } = await client.query(replace, [
        box.seal(box.open(value, context), context),
        value,
        ...key.map((name) => row[name]),
      ]);
      count += rowCount ?? 0;
    }
    await client.query('commit');
  }
}
