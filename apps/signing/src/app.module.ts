import { ArchivesModule } from '@constancia/archives';
import { AuthModule } from '@constancia/auth';
import { ConfigModule, SecretsModule } from '@constancia/config';
import { LedgerModule } from '@constancia/credit-ledger';
import { createHttpApp, HttpOptions, RateLimitModule } from '@constancia/http';
import { KmsModule } from '@constancia/kms';
import { MailModule } from '@constancia/mail';
import { PersistenceModule } from '@constancia/persistence';
import { PersonalData, PersonalDataModule } from '@constancia/personal-data';
import { QueueModule } from '@constancia/queue';
import { ArchiveKeysModule, StorageModule } from '@constancia/storage';
import { TextMessagesModule } from '@constancia/text-messages';
import { TelemetryModule } from '@constancia/telemetry';
import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CircuitsModule } from './circuits/circuits.module.ts';
import { SigningConfig } from './config.ts';
import { ConfigurationModule as TenantConfigurationModule } from './configuration/configuration.module.ts';
import { DocumentEvidenceModule } from './document-evidence/document-evidence.module.ts';
import { EmbedModule } from './embed/embed.module.ts';
import { EnvelopeBatchesModule } from './envelope-batches/envelope-batches.module.ts';
import { EnvelopesModule } from './envelopes/envelopes.module.ts';
import { ErasuresModule } from './erasures/erasures.module.ts';
import { ExportModule } from './export/export.module.ts';
import { OperatorsModule } from './ops/operators.module.ts';
import { RemindersModule } from './reminders/reminders.module.ts';
import { SEALED_TABLES } from './sealing/sealed-tables.ts';
import { SignModule } from './sign/sign.module.ts';
import { SignaturesModule } from './signatures/signatures.module.ts';
import { SignerIdentityModule } from './signer-identity/signer-identity.module.ts';
import { SigningHttp } from './signing-http.ts';
import { SigningKeysModule } from './signing-keys/signing-keys.module.ts';
import { SigningSettingsModule } from './signing-settings/signing-settings.module.ts';
import { SIGNING_TABLES } from './tables.ts';
import { TemplatesModule } from './templates/templates.module.ts';
import { TrailArchiveModule } from './trail-archive/trail-archive.module.ts';
import { TrailArchives } from './trail-archive/trail-archives.ts';
import { VerificationModule } from './verify/verification.module.ts';

@Module({
  imports: [
    // The kits. Nest opens them in this order, and closes them in reverse once the features have ended.
    SecretsModule.forRoot(SigningConfig),
    TelemetryModule.forRoot(SigningConfig, 'signing'),
    PersistenceModule.forRoot(SigningConfig, {
      applicationName: 'signing',
      schema: 'signing',
      entities: SIGNING_TABLES,
    }),
    StorageModule.forRoot(SigningConfig),
    RateLimitModule.forRoot(SigningConfig),
    KmsModule.forRoot(SigningConfig),
    ArchiveKeysModule.forRoot(SigningConfig, { schema: 'signing' }),
    MailModule.forRoot(SigningConfig),
    TextMessagesModule.forRoot(SigningConfig),
    QueueModule.forRoot(SigningConfig, 'signing'),
    PersonalDataModule.forRoot({ schema: 'signing', tables: SEALED_TABLES }),
    LedgerModule.forRoot({ schema: 'signing', answerKeys: PersonalData }),
    AuthModule.forRoot(SigningConfig),
    // The features.
    TemplatesModule,
    SignaturesModule,
    DocumentEvidenceModule,
    CircuitsModule,
    EmbedModule,
    EnvelopesModule,
    EnvelopeBatchesModule,
    ErasuresModule,
    ExportModule,
    RemindersModule,
    TenantConfigurationModule,
    SignModule,
    SignerIdentityModule,
    SigningKeysModule,
    SigningSettingsModule,
    VerificationModule,
    ArchivesModule.of([TrailArchives], [TrailArchiveModule]),
    OperatorsModule,
  ],
  providers: [{ provide: HttpOptions, useClass: SigningHttp }],
})
export class SigningModule {
  static forRoot(config: SigningConfig): DynamicModule {
    return { module: SigningModule, imports: [ConfigModule.forRoot(config)] };
  }
}

/**
 * The signing app: built, not listening. Does not fail while Postgres or the queue is unavailable. Closing it closes what it opened.
 */
export function createApp(config: SigningConfig): Promise<NestFastifyApplication> {
  return createHttpApp(SigningModule.forRoot(config));
}
