import { type HintJob, Processor, WorkerHost } from '@constancia/queue';
import { Lanes } from './lanes.ts';

/** Hints of the apps: an endpoint has deliveries that are due. */
@Processor('webhook-delivery', { concurrency: 64 })
export class WebhookDeliveryProcessor extends WorkerHost {
  constructor(private readonly lanes: Lanes) {
    super();
  }

  override async process({ data }: HintJob<'webhook-delivery'>): Promise<void> {
    this.lanes.wake(data.endpoint_id);
  }
}
