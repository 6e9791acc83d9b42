import { runWorker } from '@constancia/telemetry';
import { startDispatcher } from './app.ts';
import { DispatcherConfig } from './config.ts';

await runWorker({ name: 'webhook-dispatcher', config: DispatcherConfig, start: startDispatcher });
