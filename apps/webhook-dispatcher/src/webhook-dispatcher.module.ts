import { SecretsModule } from '@constancia/config';
import { MailModule } from '@constancia/mail';
import { PersistenceModule } from '@constancia/persistence';
import { QueueModule } from '@constancia/queue';
import { Readiness, TelemetryModule } from '@constancia/telemetry';
import { Module } from '@nestjs/common';
import { DispatcherConfig } from './config.ts';
import { DeliveriesModule } from './deliveries/deliveries.module.ts';
import { Maintenance } from './maintenance.ts';
import { NoticesModule } from './notices/notices.module.ts';
import { DispatcherReadiness } from './readiness.ts';
import { ReplaysModule } from './replays/replays.module.ts';

const APP = 'webhook-dispatcher';

/** Sends events to the endpoints of tenants: hints wake the delivery loop, the sweep finds what no hint announced. */
@Module({
  imports: [
    SecretsModule.forRoot(DispatcherConfig),
    TelemetryModule.forRoot(DispatcherConfig, APP),
    PersistenceModule.forRoot(DispatcherConfig, { applicationName: APP }),
    MailModule.forRoot(DispatcherConfig),
    QueueModule.forWorker(DispatcherConfig, APP),
    DeliveriesModule,
    ReplaysModule,
    NoticesModule,
  ],
  providers: [Maintenance, { provide: Readiness, useClass: DispatcherReadiness }],
})
export class WebhookDispatcherModule {}
