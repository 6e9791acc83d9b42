import { Module } from '@nestjs/common';
import { CancelReplayRun } from './cancel-replay-run.ts';
import { ListDeliveries } from './list-deliveries.ts';
import { ReplayDelivery } from './replay-delivery.ts';
import { ShowDelivery } from './show-delivery.ts';
import { ShowReplayRun } from './show-replay-run.ts';
import { StartReplayRun } from './start-replay-run.ts';

@Module({
  controllers: [ListDeliveries, StartReplayRun, ShowReplayRun, CancelReplayRun, ShowDelivery, ReplayDelivery],
})
export class WebhookDeliveriesModule {}
