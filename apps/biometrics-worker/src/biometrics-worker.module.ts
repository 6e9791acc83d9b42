import { KmsModule } from '@constancia/kms';
import { PersistenceModule } from '@constancia/persistence';
import { QueueModule } from '@constancia/queue';
import { StorageModule } from '@constancia/storage';
import { Readiness, TelemetryModule } from '@constancia/telemetry';
import { Module } from '@nestjs/common';
import { BiometricsConfig } from './config.ts';
import { StepRunProcessor } from './step-run-processor.ts';
import { EnginesModule } from './engines.module.ts';
import { RecoveryCheckProcessor } from './recovery-check-processor.ts';
import { RecoveryCheckStore } from './recovery-check-store.ts';
import { RecoveryCheckWorker } from './recovery-check-worker.ts';
import { WalletKeys } from './wallet-keys.ts';
import { BiometricsMetrics } from './metrics.ts';
import { BiometricsReadiness } from './readiness.ts';
import { StepRunQueueProcessor } from './step-run-queue.processor.ts';
import { StepRunWorker } from './step-run-worker.ts';
import { StepRuns } from './step-runs.ts';
import { SubjectKeys } from './subject-keys.ts';
import { SubjectMaterial } from './subject-material.ts';

const APP = 'biometrics-worker';

/** Works on identity steps: claims their runs, lets the engines look at the pictures, writes what they found. */
@Module({
  imports: [
    TelemetryModule.forRoot(BiometricsConfig, APP),
    PersistenceModule.forRoot(BiometricsConfig, { applicationName: APP }),
    StorageModule.forRoot(BiometricsConfig),
    KmsModule.forRoot(BiometricsConfig),
    QueueModule.forWorker(BiometricsConfig, APP),
    EnginesModule,
  ],
  providers: [
    StepRunQueueProcessor,
    StepRunWorker,
    StepRunProcessor,
    StepRuns,
    SubjectMaterial,
    SubjectKeys,
    WalletKeys,
    RecoveryCheckStore,
    RecoveryCheckProcessor,
    RecoveryCheckWorker,
    BiometricsMetrics,
    { provide: Readiness, useClass: BiometricsReadiness },
  ],
})
export class BiometricsWorkerModule {}
