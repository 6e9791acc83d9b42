import { ArchivesModule } from '@constancia/archives';
import { AuthModule } from '@constancia/auth';
import { ConfigModule, SecretsModule } from '@constancia/config';
import { LedgerModule } from '@constancia/credit-ledger';
import { createHttpApp, HttpOptions, RateLimitModule } from '@constancia/http';
import { KmsModule } from '@constancia/kms';
import { PersistenceModule } from '@constancia/persistence';
import { PersonalData, PersonalDataModule } from '@constancia/personal-data';
import { QueueModule } from '@constancia/queue';
import { ArchiveKeysModule, StorageModule } from '@constancia/storage';
import { TelemetryModule } from '@constancia/telemetry';
import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BacktestsModule } from './backtests/backtests.module.ts';
import { CaseAttachmentsModule } from './case-attachments/case-attachments.module.ts';
import { CaseDossiersModule } from './case-dossiers/case-dossiers.module.ts';
import { CaseExportsModule } from './case-exports/case-exports.module.ts';
import { CaseQueueModule } from './case-queue/case-queue.module.ts';
import { CaseReportsModule } from './case-reports/case-reports.module.ts';
import { CaseResolutionsModule } from './case-resolutions/case-resolutions.module.ts';
import { TimelineArchives } from './cases/archive/timeline-archives.ts';
import { CasesModule } from './cases/cases.module.ts';
import { ComplianceHttp } from './compliance-http.ts';
import { ComplianceConfig } from './config.ts';
import { ConfigurationModule as TenantConfigurationModule } from './configuration/configuration.module.ts';
import { ErasuresModule } from './erasures/erasures.module.ts';
import { ExportModule } from './export/export.module.ts';
import { IdentityRequestsModule } from './identity-requests/identity-requests.module.ts';
import { InternalListModule } from './internal-list/internal-list.module.ts';
import { ListHistoryModule } from './list-history/list-history.module.ts';
import { ListsModule } from './lists/lists.module.ts';
import { MonitoringModule } from './monitoring/monitoring.module.ts';
import { OperatorsModule } from './ops/operators.module.ts';
import { PeriodReportsModule } from './period-reports/period-reports.module.ts';
import { RulesModule } from './rules/rules.module.ts';
import { ScreeningBatchesModule } from './screening-batches/screening-batches.module.ts';
import { ScreeningArchives } from './screenings/archive/screening-archives.ts';
import { ScreeningsModule } from './screenings/screenings.module.ts';
import { SEALED_TABLES } from './sealing/seal-rows.ts';
import { SettingsModule } from './settings/settings.module.ts';
import { COMPLIANCE_TABLES } from './tables.ts';
import { ValidationsModule } from './validations/validations.module.ts';

@Module({
  imports: [
    // The kits. Nest opens them in this order, and closes them in reverse once the features have ended.
    SecretsModule.forRoot(ComplianceConfig),
    TelemetryModule.forRoot(ComplianceConfig, 'compliance'),
    PersistenceModule.forRoot(ComplianceConfig, {
      applicationName: 'compliance',
      schema: 'compliance',
      entities: COMPLIANCE_TABLES,
    }),
    StorageModule.forRoot(ComplianceConfig),
    RateLimitModule.forRoot(ComplianceConfig),
    KmsModule.forRoot(ComplianceConfig),
    ArchiveKeysModule.forRoot(ComplianceConfig, { schema: 'compliance' }),
    QueueModule.forRoot(ComplianceConfig, 'compliance'),
    PersonalDataModule.forRoot({ schema: 'compliance', tables: SEALED_TABLES }),
    LedgerModule.forRoot({ schema: 'compliance', answerKeys: PersonalData }),
    AuthModule.forRoot(ComplianceConfig),
    // The features.
    SettingsModule,
    CasesModule,
    CaseQueueModule,
    CaseResolutionsModule,
    CaseExportsModule,
    CaseDossiersModule,
    CaseAttachmentsModule,
    CaseReportsModule,
    PeriodReportsModule,
    ListsModule,
    InternalListModule,
    ListHistoryModule,
    ValidationsModule,
    RulesModule,
    BacktestsModule,
    ScreeningsModule,
    ArchivesModule.of([ScreeningArchives, TimelineArchives], [ScreeningsModule, CasesModule]),
    ScreeningBatchesModule,
    MonitoringModule,
    IdentityRequestsModule,
    ErasuresModule,
    ExportModule,
    TenantConfigurationModule,
    OperatorsModule,
  ],
  providers: [{ provide: HttpOptions, useClass: ComplianceHttp }],
})
export class ComplianceModule {
  static forRoot(config: ComplianceConfig): DynamicModule {
    return { module: ComplianceModule, imports: [ConfigModule.forRoot(config)] };
  }
}

/**
 * The compliance app: built, not listening. Does not fail while Postgres or the queue is unavailable. Closing it closes what it opened.
 */
export function createApp(config: ComplianceConfig): Promise<NestFastifyApplication> {
  return createHttpApp(ComplianceModule.forRoot(config));
}
