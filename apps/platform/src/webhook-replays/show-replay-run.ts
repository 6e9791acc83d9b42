import { ApiProblems, CurrentTenant, type Tenant } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
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
  @ApiOperation({
    operationId: 'showWebhookReplay',
    summary: 'Show a replay run',
    description: 'How many deliveries were found, put back in line and passed over.',
  })
  @ApiOkResponse({ type: ReplayRunView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ReplayRunView> {
    const uuid = uuidOf('run', id);
    if (uuid === null) throw new NotFound();
    return ReplayRunView.of(await this.database.tenant(tenant.id, (tx) => requireRun(tx, tenant.id, uuid)));
  }
}
