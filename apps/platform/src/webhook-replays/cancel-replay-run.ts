import { ApiProblems, CurrentTenant, pathUuid, type Tenant, RequireScope, WhileClosing } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReplayRunView } from './replay-run-view.ts';
import { requireRun } from './replay-run.ts';

/** POST /webhook-deliveries/replays/{id}/cancel: nothing more is queued again; what is queued is delivered. */
@Controller('webhook-deliveries/replays')
@ApiTags('Webhooks')
export class CancelReplayRun {
  constructor(private readonly database: Database) {}

  @Post(':id/cancel')
  @RequireScope('webhooks:write')
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelWebhookReplay',
    summary: 'Cancel a replay run',
    description: 'What was queued again already is delivered; the rest stays as it is. A completed run is 409.',
  })
  @ApiOkResponse({ type: ReplayRunView })
  @ApiProblems('not-found', 'state-conflict')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ReplayRunView> {
    const uuid = pathUuid('run', id);
    const run = await this.database.tenant(tenant.id, async (tx) => {
      await tx.query(
        `update platform.replay_run set status = 'cancelled', finished_at = now()
          where tenant_id = $1 and id = $2 and status = 'running'`,
        [tenant.id, uuid],
      );
      return requireRun(tx, tenant.id, uuid);
    });
    if (run.status === 'completed') throw new StateConflict('The run is completed: there is nothing left to cancel.');
    return ReplayRunView.of(run);
  }
}
