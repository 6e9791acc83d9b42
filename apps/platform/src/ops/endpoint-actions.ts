import {
  answer,
  ApiOptional,
  beforeId,
  Caller,
  IsLine,
  OpsAnswer,
  OpsController,
  OpsOperation,
  OpsPageQuery,
  page,
  ReasonBody,
  tenantNamed,
} from '@constancia/http';
import { NotFound, StateConflict } from '@constancia/problem-json';
import { type OpsCaller } from '@constancia/telemetry';
import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { ENDPOINT } from './delivery-answers.ts';
import { typeId, uuidOf } from '@constancia/kernel';
import { Database, recordAct, type Tx } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { endpointsLike, endpointView, type OpsEndpoint } from './endpoint-rows.ts';

const HEALTH = ['failing', 'paused', 'disabled'] as const;
const WEEK_MINUTES = 7 * 24 * 60;

class EndpointsQuery extends OpsPageQuery {
  @ApiOptional({ description: 'The slug or the id of a tenant.' })
  @IsLine(79)
  tenant?: string;

  @ApiOptional()
  @IsIn(HEALTH)
  health?: (typeof HEALTH)[number];
}

class PauseBody extends ReasonBody {
  @ApiProperty()
  @IsInt()
  @Min(1)
  @Max(WEEK_MINUTES)
  minutes: number;
}

/** What operators see of endpoints, and how they hold one back for a while. */
@OpsController('ops/endpoints')
export class EndpointActions {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  @Get()
  @OpsOperation('webhook endpoints of one tenant or of all; health: failing, paused or disabled')
  @OpsAnswer(200, answer.page(ENDPOINT))
  async listEndpoints(@Query() query: EndpointsQuery) {
    const { health, tenant, limit } = query;
    const rows = await endpointsLike(this.database, {
      health,
      tenantId: (await tenantNamed(this.database, tenant))?.id,
      after: beforeId(query),
      limit: limit + 1,
    });
    const { data, next_cursor } = page(rows, limit, ({ id }) => [id]);
    return { data: data.map(endpointView), next_cursor };
  }

  @Post(':id/pause')
  @HttpCode(200)
  @OpsOperation('attempt nothing for some minutes; nothing is lost')
  @OpsAnswer(200, ENDPOINT)
  async pauseEndpoint(
    @Param('id') id: string,
    @Body() { minutes, reason }: PauseBody,
    @Caller() { name: operator }: OpsCaller,
  ) {
    const endpoint = await this.find(id);
    if (!endpoint.enabled) throw new StateConflict('The endpoint is disabled: nothing is attempted there anyway.');
    await this.act(endpoint, PAUSE, [minutes], { type: 'endpoint.paused', operator, data: { minutes, reason } });
    return endpointView(await this.find(id));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @OpsOperation('go on at once; enables what was disabled as failing or gone')
  @OpsAnswer(200, ENDPOINT)
  async resumeEndpoint(
    @Param('id') id: string,
    @Body() { reason }: ReasonBody,
    @Caller() { name: operator }: OpsCaller,
  ) {
    const endpoint = await this.find(id);
    if (!endpoint.enabled && endpoint.disabled_reason === null) {
      throw new StateConflict('The tenant has disabled this endpoint itself: only the tenant enables it again.');
    }
    const { disabled_reason } = endpoint;
    await this.act(endpoint, RESUME, [], { type: 'endpoint.resumed', operator, data: { disabled_reason, reason } });
    this.queues.hint('webhook-delivery', { v: 1, endpoint_id: endpoint.id }, `ep-${endpoint.id}`);
    return endpointView(await this.find(id));
  }

  private async act(
    { id, tenant_id, module }: OpsEndpoint,
    sql: string,
    params: unknown[],
    act: Omit<Parameters<typeof recordAct>[1], 'tenantId'>,
  ): Promise<void> {
    await this.database.tenant(tenant_id, async (tx: Tx) => {
      const rows = await tx.query(sql, [tenant_id, id, ...params]);
      if (rows.length === 0) throw new StateConflict('The endpoint was changed at this very moment: look at it again.');
      await recordAct(tx, { ...act, tenantId: tenant_id, data: { endpoint_id: endpointId(id), module, ...act.data } });
    });
  }

  private async find(id: string): Promise<OpsEndpoint> {
    const uuid = uuidOf('whe', id);
    const [row] = uuid === null ? [] : await endpointsLike(this.database, { ids: [uuid], limit: 1 });
    if (!row) throw new NotFound('There is no endpoint of this id: GET /ops/endpoints lists them.');
    return row;
  }
}

const endpointId = (uuid: string): string => typeId('whe', uuid);

/** A pause that the receiver asked for (Retry-After) and that is longer stays as it is. */
const PAUSE = `
  update platform.webhook_endpoint set paused_until = greatest(paused_until, now() + make_interval(mins => $3)), updated_at = now()
   where tenant_id = $1 and id = $2 and enabled returning id`;

const RESUME = `
  update platform.webhook_endpoint
     set paused_until = null, probe_until = null, updated_at = now(), enabled = true,
         consecutive_failures = case when enabled then consecutive_failures else 0 end,
         first_failure_at = case when enabled then first_failure_at end,
         last_failure_at = case when enabled then last_failure_at end,
         disabled_reason = null, disabled_at = null, announced_at = null, notice_due_at = null
   where tenant_id = $1 and id = $2 and (enabled or disabled_reason is not null) returning id`;
