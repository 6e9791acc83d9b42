import { Module } from '@nestjs/common';
import { CancelReplayRun } from './cancel-replay-run.ts';
import { ShowReplayRun } from './show-replay-run.ts';
import { StartReplayRun } from './start-replay-run.ts';

@Module({ controllers: [StartReplayRun, ShowReplayRun, CancelReplayRun] })
export class WebhookReplaysModule {}
