import { runWorker } from '@constancia/telemetry';
import { startBiometricsWorker } from './app.ts';
import { BiometricsConfig } from './config.ts';

await runWorker({ name: 'biometrics-worker', config: BiometricsConfig, start: startBiometricsWorker });
