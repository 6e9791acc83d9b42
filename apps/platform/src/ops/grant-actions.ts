import { isUuid, sameActor, typeId, uuidv8Of } from '@constancia/kernel';
import { type Database, recordAct, type Tx } from '@constancia/persistence';
import { type OpsAction, type OpsAnswer, OpsFields, opsPage, OpsRefusal, type OpsRequest } from '@constancia/telemetry';
import { grantView, type GrantRow, pendingGrantView, type PendingGrantRow } from './grant-rows.ts';
import { namedTenant } from './named-tenant.ts';

/** Far more than anybody buys at once: a slip of the hand should not pass. */
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
 * Giving credits to tenants: one operator up to OPS_GRANT_LIMIT, above it one who asks and another one who approves. Who they are is
 * what their tokens say, so approving needs a token of one's own.
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
        about: `give credits, once per reference; above ${this.limit} another operator has to approve`,
        handle: (request) => this.grant(request),
      },
      {
        method: 'GET',
        path: /^\/ops\/grants$/,
        about: 'grants that wait for a second operator, newest first',
        handle: (request) => this.list(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/grants\/(?<id>[^/]+)\/approve$/,
        role: 'grant',
        about: 'give the credits that another operator asked for',
        handle: (request) => this.approve(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/grants\/(?<id>[^/]+)\/withdraw$/,
        role: 'grant',
        about: 'end a grant that waits, without giving anything',
        handle: (request) => this.withdraw(request),
      },
    ];
  }

  private async grant({ params, body, operator }: OpsRequest): Promise<OpsAnswer> {
    const fields = await OpsFields.ofBody(body, ['credits', 'reason', 'reference']);
    const credits = fields.needed('credits', fields.whole('credits', { min: 1, max: MAX_CREDITS }));
    const reason = fields.reason();
    const why = 'name the order, invoice or ticket, so that the same one is never granted twice';
    const reference = fields.needed('reference', fields.text('reference', { max: 100 }), why);
    const { id: tenantId } = await namedTenant(this.database, params.id ?? '');
    const grant = { tenantId, credits, reference, reason };
    if (credits > this.limit) return this.ask(grant, operator);
    const granted = await this.database.tenant(tenantId, async (tx) => {
      const entry = await credit(tx, grant, reason);
      if (entry.made) {
        const data = { credits, reference, reason, entry_id: typeId('led', entry.id) };
        await recordAct(tx, { type: 'tenant.granted', operator, tenantId, data });
      }
      return entry;
    });
    return { status: granted.made ? 201 : 200, body: grantView(granted) };
  }

  /** Credits nothing: somebody else has to approve. */
  private async ask(grant: Grant, operator: string): Promise<OpsAnswer> {
    const { tenantId, credits, reference, reason } = grant;
    const id = await this.database.tenant(tenantId, async (tx) => {
      const refId = grantId(tenantId, reference);
      const [entry] = await tx.query(`select 1 from platform.ops_entries($1, $2)`, [tenantId, [refId]]);
      if (entry) throw new OpsRefusal(409, 'This reference was granted already: give another one.');
      const [asked] = await tx.query<{ made: boolean; id: string }>(
        'select * from platform.ops_ask_grant($1, $2, $3, $4, $5, $6, $7)',
        [tenantId, refId, reference, credits, reason, operator, APPROVAL_HOURS],
      );
      const { made, id } = asked as { made: boolean; id: string };
      if (made) {
        const data = { credits, reference, reason, grant_id: id };
        await recordAct(tx, { type: 'grant.requested', operator, tenantId, data });
      }
      return id;
    });
    return { status: 202, body: { pending: pendingGrantView(await this.find(id)) } };
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
    const pending = await this.find(params.id);
    if (!isPerson) {
      throw new OpsRefusal(
        403,
        'Approving needs a token of your own (OPS_TOKENS_FILE): OPS_TOKEN does not say who you are.',
      );
    }
    if (sameActor(pending.requested_by, operator)) {
      throw new OpsRefusal(403, 'You asked for this grant yourself: another operator has to approve it.');
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
    return { status: 201, body: grantView(granted) };
  }

  private async withdraw({ params, body, operator }: OpsRequest): Promise<OpsAnswer> {
    const reason = (await OpsFields.ofBody(body, ['reason'])).reason();
    const pending = await this.find(params.id);
    await this.database.tenant(pending.tenant_id, async (tx) => {
      await end(tx, pending, 'withdrawn', operator);
      const data = { grant_id: pending.id, reference: pending.reference, reason };
      await recordAct(tx, { type: 'grant.withdrawn', operator, tenantId: pending.tenant_id, data });
    });
    return { status: 200, body: pendingGrantView(await this.find(pending.id)) };
  }

  private async find(id = ''): Promise<PendingGrantRow> {
    const sql = 'select * from platform.ops_pending_grants($1, null, 1)';
    const [row] = isUuid(id) ? await this.database.query<PendingGrantRow>(sql, [id]) : [];
    if (!row) throw new OpsRefusal(404, 'There is no grant of this id that waits: GET /ops/grants lists them.');
    return row;
  }
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
  throw new OpsRefusal(409, 'This grant does not wait any more: it was approved or withdrawn, or its time is over.');
}

async function credit(
  tx: Tx,
  { tenantId, credits, reference }: Omit<Grant, 'reason'>,
  reason: string,
): Promise<GrantRow> {
  const [row] = await tx.query<GrantRow>('select * from platform.ops_grant($1, $2, $3, $4)', [
    tenantId,
    credits,
    grantId(tenantId, reference),
    reason,
  ]);
  const entry = row as GrantRow;
  if (entry.amount === credits) return entry;
  throw new OpsRefusal(409, `This reference was granted already, with ${entry.amount} credits: give another one.`);
}

/** The object that a grant is for in the ledger: the same reference is the same object. */
const grantId = (tenantId: string, reference: string): string => uuidv8Of(`operator-grant:${tenantId}:${reference}`);
