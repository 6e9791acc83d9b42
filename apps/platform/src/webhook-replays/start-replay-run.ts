import { ApiProblems, beginOf, CurrentTenant, endOf, type Tenant, RequireScope } from '@constancia/http';
import { uuidOf, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { type FieldError, referenced, ValidationError } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { requireEndpointId } from '../webhook-endpoints/webhook-endpoint.ts';
import { DEFAULT_MAX, ReplayRunBody, ReplayRunView } from './replay-run-view.ts';
import { ReplayRun } from './replay-run.entity.ts';
import { requireRun } from './replay-run.ts';

/** POST /webhook-deliveries/replays: counts what matches; the dispatcher queues it again at a steady rate. */
@Controller('webhook-deliveries/replays')
@ApiTags('Webhooks')
export class StartReplayRun {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  @Post()
  @RequireScope('webhooks:write')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'startWebhookReplay',
    summary: 'Replay many deliveries',
    description:
      'A run survives restarts, touches each delivery once and can be cancelled. Deliveries that come later are not part of ' +
      'it. With `missing: true` it makes the deliveries that an endpoint never had. `dry_run` only counts.',
  })
  @ApiAcceptedResponse({ type: ReplayRunView })
  @ApiProblems('validation-error', 'not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Body() body: ReplayRunBody): Promise<ReplayRunView> {
    const from = beginOf(body.from);
    const to = endOf(body.to);
    const errors: FieldError[] = [];
    if (from && to && from >= to) errors.push({ pointer: '/to', code: 'out_of_range', detail: 'Must be after from.' });
    if (body.missing && body.status) {
      errors.push({ pointer: '/status', code: 'not_allowed', detail: 'What is missing has no status: leave it out.' });
    }
    if (errors.length > 0) throw new ValidationError(errors);
    const endpointId = body.endpoint_id === undefined ? null : uuidOf('whe', body.endpoint_id);
    const id = uuidv7();
    const run = await this.database.tenant(tenant.id, async (tx) => {
      if (endpointId !== null) {
        const endpoint = requireEndpointId(tx, tenant.id, endpointId);
        await referenced('/endpoint_id', 'No endpoint with this id.', endpoint);
      }
      const { missing = false, module = null, event_type = null, dry_run = false, max = DEFAULT_MAX } = body;
      await tx.manager.insert(ReplayRun, {
        ...{ id, tenant_id: tenant.id, status: 'running', dry_run, max_deliveries: max },
        statuses: missing ? [] : (body.status ?? ['failed']),
        ...{ module, event_type, from_at: from, to_at: to, missing, endpoint_id: endpointId },
      });
      await tx.query('select platform.count_replay($1)', [id]);
      return requireRun(tx, tenant.id, id);
    });
    if (run.status === 'running') this.queues.hint('webhook-replay', { v: 1, run_id: id }, `run-${id}`);
    return ReplayRunView.of(run);
  }
}
