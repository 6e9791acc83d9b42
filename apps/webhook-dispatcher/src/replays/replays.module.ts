import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.ts';
import { Replays } from './replays.ts';
import { WebhookReplayProcessor } from './webhook-replay.processor.ts';

@Module({ imports: [DeliveriesModule], providers: [Replays, WebhookReplayProcessor] })
export class ReplaysModule {}
