import 'reflect-metadata';
import { runWorkerApp } from '@constancia/telemetry';
import { DispatcherConfig } from './config.ts';
import { WebhookDispatcherModule } from './webhook-dispatcher.module.ts';

await runWorkerApp({ name: 'webhook-dispatcher', config: DispatcherConfig, module: WebhookDispatcherModule });
