import { sqlState, type Tx } from '@constancia/persistence';
import { NotFound, StateConflict } from '@constancia/problem-json';
import type { FlowSession, SessionColumns } from './session-row.ts';
import { allowedRequests, type SessionRequest } from './session-states.ts';

const SELECT = `
  select s.*, f.steps
    from identity.flow_session s join identity.flow f on f.id = s.flow_id`;

const JSON_COLUMNS = new Set(['attempts', 'case_request']);

/** A session by its UUID. Throws NotFound, for another tenant's too. */
export async function sessionRow(tx: Tx, tenantId: string, id: string, lock = ''): Promise<FlowSession> {
  const [row] = await tx.query<FlowSession>(`${SELECT} where s.tenant_id = $1 and s.id = $2 ${lock}`, [tenantId, id]);
  if (!row) throw new NotFound();
  return row;
}

/** A session whose row this transaction holds: waits for the transaction that holds it, and sees its changes. */
export function lockSession(tx: Tx, tenantId: string, id: string): Promise<FlowSession> {
  return sessionRow(tx, tenantId, id, 'for update of s');
}

/** The same without waiting: while another request holds the lock, 409 with Retry-After. */
export async function lockSessionNoWait(tx: Tx, tenantId: string, id: string): Promise<FlowSession> {
  try {
    return await sessionRow(tx, tenantId, id, 'for update of s nowait');
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    const detail = 'Another request is working on this session: wait for its answer.';
    throw new StateConflict(detail, {}, { 'Retry-After': '1' });
  }
}

/** The session of a run that is done or applied, held; undefined while the run is not. */
export async function lockSessionOfDoneRun(tx: Tx, tenantId: string, runId: string): Promise<FlowSession | undefined> {
  const [row] = await tx.query<FlowSession>(
    `${SELECT} join identity.step_run r on r.session_id = s.id
      where s.tenant_id = $1 and r.id = $2 and r.status in ('done', 'applied') for update of s`,
    [tenantId, runId],
  );
  return row;
}

/** Newest first, before an id. */
export function listSessions(
  tx: Tx,
  tenantId: string,
  filter: { status?: string; subjectId?: string; externalRef?: string; before?: string; limit: number },
): Promise<FlowSession[]> {
  return tx.query<FlowSession>(
    `${SELECT}
      where s.tenant_id = $1 and ($2::text is null or s.status = $2) and ($3::uuid is null or s.subject_id = $3)
        and ($4::text is null or s.external_ref = $4) and ($5::uuid is null or s.id < $5)
      order by s.id desc limit $6`,
    [tenantId, filter.status, filter.subjectId, filter.externalRef, filter.before, filter.limit],
  );
}

/** Writes columns of a session whose row is held; counts its version. */
export async function updateSession(tx: Tx, session: FlowSession, columns: SessionColumns): Promise<FlowSession> {
  const names = Object.keys(columns);
  const values = Object.entries(columns).map(([name, value]) =>
    JSON_COLUMNS.has(name) && value !== null ? JSON.stringify(value) : value,
  );
  const set = names.map((name, at) => `${name} = $${at + 2}, `).join('');
  await tx.query(`update identity.flow_session set ${set} version = version + 1, updated_at = now() where id = $1`, [
    session.id,
    ...values,
  ]);
  return { ...session, ...columns, version: session.version + 1 };
}

/** 409 with the state of the session and what it takes. */
export function sessionRefusal(session: FlowSession, request: SessionRequest): StateConflict {
  const { status, rejection_reason } = session;
  return new StateConflict(`A session that is ${status} does not take ${request}.`, {
    status_of_session: status,
    allowed_requests: allowedRequests(status),
    ...(rejection_reason !== null && { rejection_reason }),
  });
}
