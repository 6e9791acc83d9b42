import { ApiProblems, CurrentTenant, pathUuid, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReplayRunView } from './replay-run-view.ts';
import { requireRun } from './replay-run.ts';

/** GET /webhook-deliveries/replays/{id}: how far a run has come. */
@Controller('webhook-deliveries/replays')
@ApiTags('Webhooks')
export class ShowReplayRun {
  constructor(private readonly database: Database) {}

  @Get(':id')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'showWebhookReplay',
    summary: 'Show a replay run',
    description: 'How many deliveries were found, queued again and skipped.',
  })
  @ApiOkResponse({ type: ReplayRunView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ReplayRunView> {
    const uuid = pathUuid('run', id);
    return ReplayRunView.of(await this.database.tenant(tenant.id, (tx) => requireRun(tx, tenant.id, uuid)));
  }
}
