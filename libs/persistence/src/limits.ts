/** The server ends a statement that takes longer. */
export const STATEMENT_TIMEOUT_MS = 20_000;

/**
 * What the server allows a process of an app, in ms. Sent when a connection opens; and settings of each app role (`bootstrap`), since
 * poolers refuse such parameters.
 */
export const LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 20_000,
} as const;

/** SQL that names what of these has no limit on the connection that asks, and its role. */
export const UNLIMITED = `select name, current_user as role from pg_settings where setting = '0' and name in (${Object.keys(
  LIMITS,
)
  .map((name) => `'${name}'`)
  .join(', ')}) order by name`;
