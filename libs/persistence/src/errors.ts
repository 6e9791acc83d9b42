import { DomainError } from '@constancia/kernel';

const UNAVAILABLE = {
  unreachable: 'the database cannot be reached',
  too_slow: 'the database ended a statement that took too long',
};

/** PostgreSQL cannot be reached, cannot work now, or took too long for a statement, which it will probably do again. */
export class DatabaseUnavailableError extends DomainError {
  readonly code = 'database_unavailable';

  constructor(readonly reason: keyof typeof UNAVAILABLE = 'unreachable') {
    super(UNAVAILABLE[reason]);
  }
}

/** The app role is used through a pooler and has no limits of its own: a statement could take for ever. */
export class RoleWithoutLimitsError extends Error {
  constructor(role: string, settings: readonly string[]) {
    super(`the role ${role} has no ${settings.join(', ')}: run the bootstrap of this release before a pooler is used`);
    this.name = 'RoleWithoutLimitsError';
  }
}

/**
 * SQLSTATEs that mean "not now" (PostgreSQL appendix A): connection failures (08), shutdown and recovery (57P0x), no more disk, memory
 * or connections (53), files that cannot be read or written (58), cut off for idling or taking too long (25P03, 57014), and a former
 * primary that only reads (25006).
 */
const AWAY = /^(08...|53...|57P0[1-4]|58...|25P03|57014|25006)$/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN']);
// TypeORM releases the query runner of a connection that broke, and refuses its next statement.
const MESSAGES =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|[Qq]uery runner (?:was )?already released|Cannot use a pool after calling end/;

/** The five-character SQLSTATE of a database error, or undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  const code = driverError(error)?.code;
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether a statement broke a unique constraint or index (this one, when it is named). */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false;
  return constraint === undefined || driverError(error)?.constraint === constraint;
}

/** Whether an error says that the store cannot be reached at present. */
export function isUnavailable(error: unknown): boolean {
  const known = driverError(error);
  if (!known) return false;
  return (
    (known.code !== undefined && (AWAY.test(known.code) || NETWORK.has(known.code))) ||
    MESSAGES.test(known.message ?? '')
  );
}

/** Turns connection failures into DatabaseUnavailableError; every other error passes through. */
export function translated(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new DatabaseUnavailableError(sqlState(error) === '57014' ? 'too_slow' : 'unreachable');
}

interface DriverError {
  code?: string;
  constraint?: string;
  message?: string;
}

/** What TypeORM's error wraps; any other error itself. */
export function driverError(error: unknown): DriverError | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const inner = (error as { driverError?: unknown }).driverError;
  return (typeof inner === 'object' && inner !== null ? inner : error) as DriverError;
}
