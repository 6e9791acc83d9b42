import { KmsModule } from '@constancia/kms';
import { PersistenceModule } from '@constancia/persistence';
import { PersonalDataModule } from '@constancia/personal-data';
import { QueueModule } from '@constancia/queue';
import { StorageModule } from '@constancia/storage';
import { Metrics, Readiness, TelemetryModule } from '@constancia/telemetry';
import { Module } from '@nestjs/common';
import { CompletedDocuments } from './completed-documents.ts';
import { SealingConfig } from './config.ts';
import { DocumentSeal } from './document-seal.ts';
import { EvidenceAddresses } from './evidence/evidence-addresses.ts';
import { EvidenceMetrics } from './evidence/evidence-metrics.ts';
import { EvidenceRun } from './evidence/evidence-run.ts';
import { EvidenceTable } from './evidence/evidence-table.ts';
import { EvidenceWorker } from './evidence/evidence-worker.ts';
import { Envelopes } from './envelopes.ts';
import { MemoryBudget } from './memory-budget.ts';
import { SealingMetrics } from './metrics.ts';
import { PdfModule } from './pdf.module.ts';
import { SealingReadiness } from './readiness.ts';
import { SealingQueueProcessor } from './sealing-queue.processor.ts';
import { SealingRun } from './sealing-run.ts';
import { SealingSources } from './sealing-sources.ts';
import { SealingWorker } from './sealing-worker.ts';
import { SignatureRequests } from './signature-requests.ts';
import { SigningKeyModule } from './signing-key.module.ts';
import { TemplateBytes } from './template-bytes.ts';

const APP = 'sealing-worker';
const MB = 1024 * 1024;
const KINDS = [Envelopes, SignatureRequests];

/** Seals documents: claims signature requests and envelopes, draws, signs with KMS, stores. */
@Module({
  imports: [
    TelemetryModule.forRoot(SealingConfig, APP),
    PersistenceModule.forRoot(SealingConfig, { applicationName: APP }),
    StorageModule.forRoot(SealingConfig),
    KmsModule.forRoot(SealingConfig),
    PersonalDataModule.forRoot({ schema: 'signing' }),
    QueueModule.forWorker(SealingConfig, APP),
    PdfModule,
    SigningKeyModule,
  ],
  providers: [
    SealingQueueProcessor,
    SealingWorker,
    SealingRun,
    DocumentSeal,
    TemplateBytes,
    CompletedDocuments,
    EvidenceMetrics,
    EvidenceRun,
    EvidenceTable,
    EvidenceWorker,
    {
      provide: EvidenceAddresses,
      inject: [SealingConfig],
      useFactory: ({ evidenceAllowLoopback: allowLoopback }: SealingConfig) => new EvidenceAddresses({ allowLoopback }),
    },
    ...KINDS,
    { provide: SealingSources, inject: KINDS, useFactory: (...kinds) => new SealingSources(kinds) },
    {
      provide: SealingMetrics,
      inject: [Metrics, ...KINDS],
      useFactory: (metrics: Metrics, ...kinds) => new SealingMetrics(metrics, kinds),
    },
    {
      provide: MemoryBudget,
      inject: [SealingConfig],
      useFactory: ({ documentsMb }: SealingConfig) => new MemoryBudget(documentsMb * MB),
    },
    { provide: Readiness, useClass: SealingReadiness },
  ],
})
export class SealingWorkerModule {}
