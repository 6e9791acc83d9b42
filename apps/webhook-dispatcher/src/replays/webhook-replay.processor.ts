import { Processor, WorkerHost } from '@constancia/queue';
import { Replays } from './replays.ts';

/** Hints of the platform: a replay run was begun. */
@Processor('webhook-replay', { concurrency: 1 })
export class WebhookReplayProcessor extends WorkerHost {
  constructor(private readonly replays: Replays) {
    super();
  }

  override process(): Promise<void> {
    return this.replays.run();
  }
}
