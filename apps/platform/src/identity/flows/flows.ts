import type { AuditEntry } from '@constancia/auth';
import { pathUuid } from '@constancia/http';
import { typeId, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { NotFound, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { allowedFlowActions, type FlowAction, type FlowStatus, flowTransition } from './flow-states.ts';
import { Flow } from './flow.entity.ts';
import type { FlowStep } from './step-types.ts';

interface FlowFilter {
  code?: string;
  type?: string;
  status?: FlowStatus;
  before?: string;
  limit: number;
}

/** The flows of every tenant: versions of (type, code), of which one at a time is published. */
@Injectable()
export class Flows {
  constructor(private readonly database: IdentityDatabase) {}

  /** One flow by its TypeID. Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<Flow> {
    return this.database.tenant(tenantId, (tx) => flowOf(tx, tenantId, id));
  }

  /** Newest first, before an id. */
  list(tenantId: string, filter: FlowFilter): Promise<Flow[]> {
    return this.database.tenant(tenantId, (tx) => listFlows(tx, tenantId, filter));
  }

  /** Does something with a flow whose row is locked, when its state allows it (else StateConflict with allowed_actions). */
  change<T>(tenantId: string, id: string, action: FlowAction, work: (flow: Flow, tx: Tx) => Promise<T>): Promise<T> {
    return this.database.tenant(tenantId, async (tx) => {
      const { code, type } = await flowOf(tx, tenantId, id);
      await lockCode(tx, tenantId, type, code);
      const flow = await flowOf(tx, tenantId, id, 'for update');
      if (!flowTransition(flow.status, action)) throw refusal(flow, action);
      return work(flow, tx);
    });
  }
}

/** Newest first, before an id. */
export function listFlows(tx: Tx, tenantId: string, filter: FlowFilter): Promise<Flow[]> {
  return tx.query<Flow>(
    `select * from identity.flow
      where tenant_id = $1 and ($2::text is null or code = $2) and ($3::text is null or type = $3)
        and ($4::text is null or status = $4) and ($5::uuid is null or id < $5)
      order by id desc limit $6`,
    [tenantId, filter.code, filter.type, filter.status, filter.before, filter.limit],
  );
}

function refusal({ status }: Flow, action: FlowAction): StateConflict {
  const allowed = allowedFlowActions(status);
  return new StateConflict(
    `A flow that is ${status} does not take ${action}: clone it, change the draft, publish it.`,
    {
      status_of_flow: status,
      allowed_actions: allowed,
    },
  );
}

/** Writers of one (type, code) follow one another: version numbers and the published version stay unique. */
export async function lockCode(tx: Tx, tenantId: string, type: string, code: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`flow:${tenantId}:${type}:${code}`]);
}

async function flowOf(tx: Tx, tenantId: string, id: string, lock = ''): Promise<Flow> {
  const uuid = pathUuid('flw', id);
  const [row] = await tx.query<Flow>(`select * from identity.flow where tenant_id = $1 and id = $2 ${lock}`, [
    tenantId,
    uuid,
  ]);
  if (!row) throw new NotFound();
  return row;
}

/** The published version, which new sessions are pinned to. */
export function publishedFlow(tx: Tx, tenantId: string, type: string, code: string): Promise<Flow | null> {
  return tx.manager.findOneBy(Flow, { tenant_id: tenantId, type, code, status: 'published' });
}

/** The next version of (type, code), as a draft. The code must be locked. */
export async function addDraft(
  tx: Tx,
  tenantId: string,
  { type, code, steps }: { type: string; code: string; steps: FlowStep[] },
): Promise<Flow> {
  const [row] = await tx.query<Flow>(
    `insert into identity.flow (id, tenant_id, code, type, version, status, steps)
     select $1, $2, $3, $4, coalesce(max(version), 0) + 1, 'draft', $5
       from identity.flow where tenant_id = $2 and type = $4 and code = $3
     returning *`,
    [uuidv7(), tenantId, code, type, JSON.stringify(steps)],
  );
  return row as Flow;
}

export async function changeSteps(tx: Tx, flow: Flow, steps: FlowStep[]): Promise<Flow> {
  const [row] = await tx.query<Flow>(
    `update identity.flow set steps = $2, updated_at = now() where id = $1 returning *`,
    [flow.id, JSON.stringify(steps)],
  );
  return row as Flow;
}

/** Publishes a draft and deprecates the version before it, in one transaction. The code must be locked. */
export async function publish(tx: Tx, flow: Flow): Promise<Flow> {
  await tx.query(
    `update identity.flow set status = 'deprecated', updated_at = now()
      where tenant_id = $1 and type = $2 and code = $3 and status = 'published'`,
    [flow.tenant_id, flow.type, flow.code],
  );
  const [row] = await tx.query<Flow>(
    `update identity.flow set status = 'published', published_at = now(), updated_at = now()
      where id = $1 returning *`,
    [flow.id],
  );
  return row as Flow;
}

/** A publication as the audit log has it. */
export function publicationAudit({
  id,
  type,
  code,
  version,
  steps,
}: Flow): Pick<AuditEntry, 'action' | 'object' | 'after'> {
  const after = { flow_type: type, code, version, steps: steps.length };
  return { action: 'flow.published', object: { kind: 'flow', id: typeId('flw', id) }, after };
}
