export const BATCH_LIMITS = {
  rows: 100_000,
  /** Of the body. */
  bytes: 50 * 1024 * 1024,
  /** Of one row. */
  rowBytes: 128 * 1024,
  /** Wrong rows are looked for until so many errors were found. */
  errors: 100,
  /** Unfinished batches of a tenant. */
  open: 10,
  /** After which an unfinished batch is given up. */
  days: 7,
} as const;

/** One transaction each: short, since it delays the tenant's other work. */
export const CHUNK = { rows: 100, characters: 128 * 1024 } as const;
