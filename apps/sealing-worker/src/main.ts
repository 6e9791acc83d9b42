import { runWorker } from '@constancia/telemetry';
import { startSealingWorker } from './app.ts';
import { SealingConfig } from './config.ts';

await runWorker({ name: 'sealing-worker', config: SealingConfig, start: startSealingWorker });
