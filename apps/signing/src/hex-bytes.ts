/** A row for ChargedWork, whose rows travel to the store as JSON. */
export function withHexBytes(row: object): Record<string, unknown> {
  const entries = Object.entries(row) as [string, unknown][];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value]),
  );
}
