import 'reflect-metadata';
import { runWorkerApp } from '@constancia/telemetry';
import { BiometricsWorkerModule } from './biometrics-worker.module.ts';
import { BiometricsConfig } from './config.ts';

await runWorkerApp({ name: 'biometrics-worker', config: BiometricsConfig, module: BiometricsWorkerModule });
