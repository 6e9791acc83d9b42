/** Runs one statement as superuser. */
export type Query = <Row>(sql: string, params?: unknown[]) => Promise<Row[]>;

/** Where a canary was found. */
export interface CanaryFound {
  table: string;
  column: string;
  canary: string;
  rows: number;
}

interface Column {
  schema: string;
  table: string;
  column: string;
}

const COLUMNS = `
  select n.nspname as schema, c.relname as table, a.attname as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped
     and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_%'
   order by 1, 2, a.attnum`;

/**
 * Looks for texts in every column of every table of every schema: as they are, as bytes (UTF-8), and in hexadecimal or base64 within
 * texts and bytes. Compressed or sealed bytes are not opened.
 */
export async function findCanaries(query: Query, canaries: readonly string[]): Promise<CanaryFound[]> {
  const found: CanaryFound[] = [];
  const columns = await query<Column>(COLUMNS);
  const all = canaries.flatMap(patternsOf);
  for (const name of new Set(columns.map(tableOf))) {
    // A row as one text: nearly every table has none, and one statement finds out.
    const [seen] = await query<{ any: boolean }>(
      `select exists (select from ${name} t where lower(t::text) like any (array(select lower(p) from unnest($1::text[]) p))) as any`,
      [all],
    );
    if (!seen?.any) continue;
    for (const column of columns.filter((one) => tableOf(one) === name)) {
      for (const canary of canaries) {
        const [row] = await query<{ rows: number }>(
          `select count(*)::int as rows from ${name} t where "${column.column}"::text ilike any ($1)`,
          [patternsOf(canary)],
        );
        if (row && row.rows > 0) {
          found.push({ table: `${column.schema}.${column.table}`, column: column.column, canary, rows: row.rows });
        }
      }
    }
  }
  return found;
}

const tableOf = ({ schema, table }: Column): string => `"${schema}"."${table}"`;

const patternsOf = (canary: string): string[] =>
  formsOf(canary).map((form) => `%${form.replaceAll(/[%_\\]/g, '\\$&')}%`);

/** Bytes are shown by the store in hexadecimal, and so is what is hexadecimal in a text; base64 depends on where the text begins. */
function formsOf(canary: string): string[] {
  const bytes = Buffer.from(canary);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    return text.slice(offset === 0 ? 0 : offset + 1, -2); // the characters at the ends depend on the neighbours
  });
  const asHex = (text: string) => Buffer.from(text).toString('hex');
  return [canary, hex, asHex(hex), ...base64, ...base64.map(asHex)];
}
