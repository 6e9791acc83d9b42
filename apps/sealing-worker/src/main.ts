import 'reflect-metadata';
import { runWorkerApp } from '@constancia/telemetry';
import { SealingConfig } from './config.ts';
import { SealingWorkerModule } from './sealing-worker.module.ts';

await runWorkerApp({ name: 'sealing-worker', config: SealingConfig, module: SealingWorkerModule });
