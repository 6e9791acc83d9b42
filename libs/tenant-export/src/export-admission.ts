import { AuditLog } from '@constancia/auth';
import { overOwnLimit, type Principal, stillUnderWay } from '@constancia/http';
import type { Database, Tx } from '@constancia/persistence';

/** Exports that a tenant may start within 24 hours, of each host. */
export const EXPORTS_PER_DAY = 10;
const DAY_SECONDS = 24 * 60 * 60;

/** Who starts an export, and from where. */
export interface ExportCaller {
  principal: Principal;
  /** The address that the request came from. */
  origin: string;
}

/**
 * Takes a slot until the transaction ends, across processes. The transaction may be idle for `idleMs`. Throws Conflict while another one has
 * the slot: `taken` says what that one does.
 */
export async function takeSlot(
  tx: Tx,
  slot: string,
  idleMs: number,
  taken = 'An export of yours is under way',
): Promise<void> {
  const [lock] = await tx.query<{ taken: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken',
    [slot],
  );
  if (!lock?.taken) throw stillUnderWay(taken);
  await tx.query(`set local idle_in_transaction_session_timeout = ${idleMs}`);
}

/** Counts an export, and writes into the audit log that it starts, before anything leaves. Needs the slot. Throws RateLimitExceeded. */
export async function admitExport(
  database: Database,
  host: string,
  { principal, origin }: ExportCaller,
): Promise<void> {
  const { id } = principal.tenant;
  await database.tenant(id, async (tx) => {
    const [earlier] = await tx.query<{ at: Date | null }>('select platform_v1.export_started_at($1, $2) as at', [
      id,
      EXPORTS_PER_DAY,
    ]);
    const until = new Date((earlier?.at?.getTime() ?? 0) + DAY_SECONDS * 1_000);
    if (until > new Date()) {
      throw overOwnLimit({
        name: 'exports-per-tenant',
        limit: EXPORTS_PER_DAY,
        windowSeconds: DAY_SECONDS,
        until,
        detail: `${EXPORTS_PER_DAY} exports were started here within 24 hours`,
      });
    }
    await AuditLog.record(tx, { principal, origin, action: 'tenant_export.started', object: OBJECT, after: { host } });
  });
}

/** What became of an export. */
export interface ExportOutcome {
  /** false: the client stopped reading, or the service failed. */
  complete: boolean;
  rows: number;
  files: number;
  bytes: number;
}

/** Writes into the audit log what left. */
export async function noteEnd(
  database: Database,
  host: string,
  { principal, origin }: ExportCaller,
  { complete, rows, files, bytes }: ExportOutcome,
): Promise<void> {
  const after = { host, complete, rows, files, bytes };
  await database.tenant(principal.tenant.id, (tx) =>
    AuditLog.record(tx, { principal, origin, action: 'tenant_export.ended', object: OBJECT, after }),
  );
}

const OBJECT = { kind: 'tenant_export', id: null };
