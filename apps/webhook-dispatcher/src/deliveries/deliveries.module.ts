import { dnsResolve } from '@constancia/events';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { DispatcherConfig } from '../config.ts';
import { Attempts } from './attempt.ts';
import { Deliveries } from './deliveries.ts';
import { DeliveryLag } from './delivery-lag.ts';
import { DeliveryRun } from './delivery-run.ts';
import { DeliverySweep } from './delivery-sweep.ts';
import { EndpointHealth } from './endpoint-health.ts';
import { Lanes } from './lanes.ts';
import { DispatcherMetrics } from './metrics.ts';
import { Poster } from './post.ts';
import { RetryJitter } from './retry-jitter.ts';
import { WebhookDeliveryProcessor } from './webhook-delivery.processor.ts';

const poster = {
  provide: Poster,
  inject: [DispatcherConfig],
  useFactory: ({ webhookAllowLoopback, webhookPorts }: DispatcherConfig) =>
    new Poster({ allowLoopback: webhookAllowLoopback, ports: webhookPorts.map(Number) }, dnsResolve()),
};

/** The delivery loop: `Lanes.wake` says that an endpoint has work. */
@Module({
  providers: [
    poster,
    Attempts,
    Deliveries,
    DeliveryRun,
    DispatcherMetrics,
    EndpointHealth,
    Lanes,
    RetryJitter,
    WebhookDeliveryProcessor,
    DeliverySweep,
    DeliveryLag,
  ],
  exports: [Lanes],
})
export class DeliveriesModule implements OnApplicationShutdown {
  constructor(private readonly poster: Poster) {}

  onApplicationShutdown(): Promise<void> {
    return this.poster.close();
  }
}
