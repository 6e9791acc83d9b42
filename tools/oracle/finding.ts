/** Runs one statement with rights to read everything; answers its rows. */
export type Query = <Row>(sql: string, params?: unknown[]) => Promise<Row[]>;

/** A line of what is broken: the rule, and what breaks it. */
export const finding = (rule: string, what: string): string => `${rule}: ${what}`;

/** Findings by rules that are each one statement, answering what breaks it in a column `broken`. */
export async function breaking(query: Query, rules: Record<string, string>): Promise<string[]> {
  const found: string[] = [];
  for (const [rule, sql] of Object.entries(rules)) {
    for (const { broken } of await query<{ broken: string }>(sql)) found.push(finding(rule, broken));
  }
  return found;
}
