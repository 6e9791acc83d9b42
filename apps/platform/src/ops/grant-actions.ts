import { isUuid, sameActor, typeId, uuidv8Of } from '@constancia/kernel';
import { type Database, recordAct, type Tx } from '@constancia/persistence';
import { type OpsAction, type OpsAnswer, OpsFields, opsPage, OpsRefusal, type OpsRequest } from '@constancia/telemetry';
import { exceedsGrantLimit } from './grant-limit.ts';
import { grantView, type GrantRow, pendingGrantView, type PendingGrantRow } from './grant-rows.ts';
import { namedTenant } from './named-tenant.ts';

/** Far more than any tenant buys at once: guards against a typing error. */
export const MAX_CREDITS = 10_000_000;
/** How long a second operator has. */
const APPROVAL_HOURS = 72;

interface Grant {
  tenantId: string;
  credits: number;
  reference: string;
  reason: string;
}

/**
 * Grants of credits to tenants. One operator may grant up to OPS_GRANT_LIMIT in 24 hours; beyond it one requests and another one
 * approves. Tokens identify them, so both need a personal token.
 */
export class GrantActions {
  constructor(
    private readonly database: Database,
    private readonly limit: number,
  ) {}

  get actions(): OpsAction[] {
    return [
      {
        method: 'POST',
        path: /^\/ops\/tenants\/(?<id>[^/]+)\/grants$/,
        role: 'grant',
        about: `grant credits, once per reference; above ${this.limit} in 24 hours another operator has to approve`,
        handle: (request) => this.grant(request),
      },
      {
        method: 'GET',
        path: /^\/ops\/grants$/,
        about: 'grants that wait for approval, newest first',
        handle: (request) => this.list(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/grants\/(?<id>[^/]+)\/approve$/,
        role: 'grant',
        about: 'grant the credits that another operator requested',
        handle: (request) => this.approve(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/grants\/(?<id>[^/]+)\/withdraw$/,
        role: 'grant',
        about: 'end a pending grant without crediting anything',
        handle: (request) => this.withdraw(request),
      },
    ];
  }

  private async grant(request: OpsRequest): Promise<OpsAnswer> {
    const { params, body, operator } = request;
    const fields = await OpsFields.ofBody(body, ['credits', 'reason', 'reference']);
    const credits = fields.needed('credits', fields.whole('credits', { min: 1, max: MAX_CREDITS }));
    const reason = fields.reason();
    const why = 'name the order, invoice or ticket, so that the same one is never granted twice';
    const reference = fields.needed('reference', fields.text('reference', { max: 100 }), why);
    const { id: tenantId } = await namedTenant(this.database, params.id ?? '');
    const grant = { tenantId, credits, reference, reason };
    return this.database.tenant(tenantId, async (tx) => {
      const exceedsLimit = await exceedsGrantLimit(tx, operator, credits, this.limit);
      if (exceedsLimit && !(await isGranted(tx, grant))) return this.ask(tx, grant, request);
      const entry = await credit(tx, grant, reason);
      if (entry.made) {
        const data = { credits, reference, reason, entry_id: typeId('led', entry.id) };
        await recordAct(tx, { type: 'tenant.granted', operator, tenantId, data });
      }
      return { status: entry.made ? 201 : 200, body: grantView(entry) };
    });
  }

  /** Credits nothing: another operator has to approve. */
  private async ask(tx: Tx, grant: Grant, { operator, isPerson }: OpsRequest): Promise<OpsAnswer> {
    const { tenantId, credits, reference, reason } = grant;
    if (!isPerson) {
      const rule = `More than ${this.limit} credits in 24 hours need two operators`;
      throw new OpsRefusal(403, `${rule} with personal tokens (OPS_TOKENS_FILE): OPS_TOKEN does not identify you.`);
    }
    const [asked] = await tx.query<{ made: boolean; id: string }>(
      'select * from platform.ops_ask_grant($1, $2, $3, $4, $5, $6, $7)',
      [tenantId, grantId(grant), reference, credits, reason, operator, APPROVAL_HOURS],
    );
    const pending = await find(tx, asked?.id);
    if (pending.credits !== credits) {
      const known = `This reference waits for approval already, with ${pending.credits} credits`;
      throw new OpsRefusal(409, `${known}: withdraw that grant, or give another reference.`);
    }
    if (asked?.made) {
      const data = { credits, reference, reason, grant_id: pending.id };
      await recordAct(tx, { type: 'grant.requested', operator, tenantId, data });
    }
    return { status: 202, body: { pending: pendingGrantView(pending) } };
  }

  private async list({ query }: OpsRequest): Promise<OpsAnswer> {
    const fields = OpsFields.ofQuery(query, ['limit', 'cursor']);
    const [before] = fields.cursor([(key) => typeof key === 'string' && isUuid(key)]) ?? [];
    const limit = fields.limit();
    const rows = await this.database.query<PendingGrantRow>('select * from platform.ops_pending_grants($1, $2, $3)', [
      null,
      before ?? null,
      limit + 1,
    ]);
    return { status: 200, body: opsPage(rows, limit, ({ id }) => [id], pendingGrantView) };
  }

  private async approve({ params, body, operator, isPerson }: OpsRequest): Promise<OpsAnswer> {
    const reason = (await OpsFields.ofBody(body, ['reason'])).reason();
    const pending = await find(this.database, params.id);
    if (!isPerson) {
      throw new OpsRefusal(403, 'Approving needs a personal token (OPS_TOKENS_FILE): OPS_TOKEN does not identify you.');
    }
    if (sameActor(pending.requested_by, operator)) {
      throw new OpsRefusal(403, 'You requested this grant yourself: another operator has to approve it.');
    }
    const { tenant_id: tenantId, credits, reference, requested_by } = pending;
    const granted = await this.database.tenant(tenantId, async (tx) => {
      await end(tx, pending, 'approved', operator);
      const names = `requested by ${requested_by}, approved by ${operator}`;
      const entry = await credit(tx, { tenantId, credits, reference }, `${pending.reason} (${names})`);
      const data = {
        credits,
        reference,
        reason,
        grant_id: pending.id,
        requested_by,
        entry_id: typeId('led', entry.id),
      };
      await recordAct(tx, { type: 'grant.approved', operator, tenantId, data });
      return entry;
    });
    return { status: granted.made ? 201 : 200, body: grantView(granted) };
  }

  private async withdraw({ params, body, operator }: OpsRequest): Promise<OpsAnswer> {
    const reason = (await OpsFields.ofBody(body, ['reason'])).reason();
    const pending = await find(this.database, params.id);
    await this.database.tenant(pending.tenant_id, async (tx) => {
      await end(tx, pending, 'withdrawn', operator);
      const data = { grant_id: pending.id, reference: pending.reference, reason };
      await recordAct(tx, { type: 'grant.withdrawn', operator, tenantId: pending.tenant_id, data });
    });
    return { status: 200, body: pendingGrantView(await find(this.database, pending.id)) };
  }
}

async function find(store: Pick<Tx, 'query'>, id = ''): Promise<PendingGrantRow> {
  const sql = 'select * from platform.ops_pending_grants($1, null, 1)';
  const [row] = isUuid(id) ? await store.query<PendingGrantRow>(sql, [id]) : [];
  if (!row) throw new OpsRefusal(404, 'There is no grant with this id: GET /ops/grants lists those that wait.');
  return row;
}

async function end(
  tx: Tx,
  pending: PendingGrantRow,
  status: 'approved' | 'withdrawn',
  operator: string,
): Promise<void> {
  const sql = 'select platform.ops_end_grant($1, $2, $3) as done';
  const [row] = await tx.query<{ done: boolean }>(sql, [pending.id, status, operator]);
  if (row?.done) return;
  throw new OpsRefusal(409, 'This grant is no longer pending: it was approved or withdrawn, or has expired.');
}

async function isGranted(tx: Tx, grant: Grant): Promise<boolean> {
  const sql = 'select 1 from platform.ops_entries($1, $2)';
  return (await tx.query(sql, [grant.tenantId, [grantId(grant)]])).length > 0;
}

async function credit(tx: Tx, grant: Omit<Grant, 'reason'>, reason: string): Promise<GrantRow> {
  const { tenantId, credits } = grant;
  const sql = 'select * from platform.ops_grant($1, $2, $3, $4)';
  const [row] = await tx.query<GrantRow>(sql, [tenantId, credits, grantId(grant), reason]);
  const entry = row as GrantRow;
  if (entry.amount === credits) return entry;
  throw new OpsRefusal(409, `This reference was granted already, with ${entry.amount} credits: give another one.`);
}

/** The id of the grant in the ledger: the same for the same reference. */
const grantId = ({ tenantId, reference }: Pick<Grant, 'tenantId' | 'reference'>): string =>
  uuidv8Of(`operator-grant:${tenantId}:${reference}`);
