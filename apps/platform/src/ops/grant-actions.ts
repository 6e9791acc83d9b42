import {
  answer,
  beforeId,
  Caller,
  IsLine,
  namedTenant,
  OpsAnswer,
  OpsController,
  OpsOperation,
  OpsPageQuery,
  page,
  ReasonBody,
} from '@constancia/http';
import { Forbidden, NotFound, StateConflict } from '@constancia/problem-json';
import { type OpsCaller } from '@constancia/telemetry';
import { Body, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { PlatformConfig } from '../config.ts';
import { ASKED_GRANT, GRANT, PENDING_GRANT } from './tenant-answers.ts';
import { isUuid, sameActor, typeId, uuidv8Of } from '@constancia/kernel';
import { Database, recordAct, type Tx } from '@constancia/persistence';
import { exceedsGrantLimit } from './grant-limit.ts';
import { grantView, type GrantRow, pendingGrantView, type PendingGrantRow } from './grant-rows.ts';

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

class GrantBody extends ReasonBody {
  @ApiProperty()
  @IsInt()
  @Min(1)
  @Max(MAX_CREDITS)
  credits: number;

  @ApiProperty({ description: 'The order, invoice or ticket: granted once only.' })
  @IsLine(100)
  reference: string;
}

/**
 * Grants of credits to tenants. One operator may grant up to OPS_GRANT_LIMIT in 24 hours; beyond it one requests and another one
 * approves. Tokens identify them, so both need a personal token.
 */
@OpsController('ops')
export class GrantActions {
  constructor(
    private readonly database: Database,
    private readonly config: PlatformConfig,
  ) {}

  @Post('tenants/:id/grants')
  @OpsOperation(
    'grant credits, once per reference; above OPS_GRANT_LIMIT in 24 hours another operator has to approve',
    {
      role: 'grant',
    },
  )
  @OpsAnswer(200, GRANT, 'The reference was granted already.')
  @OpsAnswer(201, GRANT)
  @OpsAnswer(202, ASKED_GRANT, 'Nothing is credited yet: another operator has to approve.')
  async grantCredits(
    @Param('id') name: string,
    @Body() { credits, reason, reference }: GrantBody,
    @Caller() caller: OpsCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const operator = caller.name;
    const { id: tenantId } = await namedTenant(this.database, name);
    const grant = { tenantId, credits, reference, reason };
    return this.database.tenant(tenantId, async (tx) => {
      const exceedsLimit = await exceedsGrantLimit(tx, operator, credits, this.config.opsGrantLimit);
      if (exceedsLimit && !(await isGranted(tx, grant))) {
        void reply.code(202);
        return this.ask(tx, grant, caller);
      }
      const entry = await credit(tx, grant, reason);
      if (entry.made) {
        const data = { credits, reference, reason, entry_id: typeId('led', entry.id) };
        await recordAct(tx, { type: 'tenant.granted', operator, tenantId, data });
      }
      void reply.code(entry.made ? 201 : 200);
      return grantView(entry);
    });
  }

  /** Credits nothing: another operator has to approve. */
  private async ask(tx: Tx, grant: Grant, { name: operator, isPerson }: OpsCaller) {
    const { tenantId, credits, reference, reason } = grant;
    if (!isPerson) {
      const rule = `More than ${this.config.opsGrantLimit} credits in 24 hours need two operators`;
      throw new Forbidden(`${rule} with personal tokens (OPS_TOKENS_FILE): OPS_TOKEN does not identify you.`);
    }
    const [asked] = await tx.query<{ made: boolean; id: string }>(
      'select * from platform.ops_ask_grant($1, $2, $3, $4, $5, $6, $7)',
      [tenantId, grantId(grant), reference, credits, reason, operator, APPROVAL_HOURS],
    );
    const pending = await find(tx, asked?.id);
    if (pending.credits !== credits) {
      const known = `This reference waits for approval already, with ${pending.credits} credits`;
      throw new StateConflict(`${known}: withdraw that grant, or give another reference.`);
    }
    if (asked?.made) {
      const data = { credits, reference, reason, grant_id: pending.id };
      await recordAct(tx, { type: 'grant.requested', operator, tenantId, data });
    }
    return { pending: pendingGrantView(pending) };
  }

  @Get('grants')
  @OpsOperation('grants that wait for approval, newest first')
  @OpsAnswer(200, answer.page(PENDING_GRANT))
  async listGrants(@Query() query: OpsPageQuery) {
    const { limit } = query;
    const rows = await this.database.query<PendingGrantRow>('select * from platform.ops_pending_grants($1, $2, $3)', [
      null,
      beforeId(query) ?? null,
      limit + 1,
    ]);
    const { data, next_cursor } = page(rows, limit, ({ id }) => [id]);
    return { data: data.map(pendingGrantView), next_cursor };
  }

  @Post('grants/:id/approve')
  @OpsOperation('grant the credits that another operator requested', { role: 'grant' })
  @OpsAnswer(200, GRANT, 'The reference was granted already.')
  @OpsAnswer(201, GRANT)
  async approveGrant(
    @Param('id') id: string,
    @Body() { reason }: ReasonBody,
    @Caller() { name: operator, isPerson }: OpsCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const pending = await find(this.database, id);
    if (!isPerson) {
      throw new Forbidden('Approving needs a personal token (OPS_TOKENS_FILE): OPS_TOKEN does not identify you.');
    }
    if (sameActor(pending.requested_by, operator)) {
      throw new Forbidden('You requested this grant yourself: another operator has to approve it.');
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
    void reply.code(granted.made ? 201 : 200);
    return grantView(granted);
  }

  @Post('grants/:id/withdraw')
  @HttpCode(200)
  @OpsOperation('end a pending grant without crediting anything', { role: 'grant' })
  @OpsAnswer(200, PENDING_GRANT)
  async withdrawGrant(
    @Param('id') id: string,
    @Body() { reason }: ReasonBody,
    @Caller() { name: operator }: OpsCaller,
  ) {
    const pending = await find(this.database, id);
    await this.database.tenant(pending.tenant_id, async (tx) => {
      await end(tx, pending, 'withdrawn', operator);
      const data = { grant_id: pending.id, reference: pending.reference, reason };
      await recordAct(tx, { type: 'grant.withdrawn', operator, tenantId: pending.tenant_id, data });
    });
    return pendingGrantView(await find(this.database, pending.id));
  }
}

async function find(store: Pick<Tx, 'query'>, id: string | undefined): Promise<PendingGrantRow> {
  const sql = 'select * from platform.ops_pending_grants($1, null, 1)';
  const [row] = id !== undefined && isUuid(id) ? await store.query<PendingGrantRow>(sql, [id]) : [];
  if (!row) throw new NotFound('There is no grant with this id: GET /ops/grants lists those that wait.');
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
  throw new StateConflict('This grant is no longer pending: it was approved or withdrawn, or has expired.');
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
  throw new StateConflict(`This reference was granted already, with ${entry.amount} credits: give another one.`);
}

/** The id of the grant in the ledger: the same for the same reference. */
const grantId = ({ tenantId, reference }: Pick<Grant, 'tenantId' | 'reference'>): string =>
  uuidv8Of(`operator-grant:${tenantId}:${reference}`);
