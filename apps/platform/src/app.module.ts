import { ArchivesModule } from '@constancia/archives';
import { AuthModule } from '@constancia/auth';
import { ConfigModule, SecretsModule } from '@constancia/config';
import { LedgerModule } from '@constancia/credit-ledger';
import { createHttpApp, HttpOptions, RateLimitModule } from '@constancia/http';
import { KmsModule } from '@constancia/kms';
import { MailModule } from '@constancia/mail';
import { PersistenceModule } from '@constancia/persistence';
import { QueueModule } from '@constancia/queue';
import { StorageModule } from '@constancia/storage';
import { TelemetryModule } from '@constancia/telemetry';
import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiKeysModule } from './api-keys/api-keys.module.ts';
import { AuditLogModule } from './audit-log/audit-log.module.ts';
import { BillingModule } from './billing/billing.module.ts';
import { RefundsModule } from './topup-refunds/refunds.module.ts';
import { TopupModule } from './billing/topup/topup.module.ts';
import { PlatformConfig } from './config.ts';
import { ConfigurationModule as TenantConfigurationModule } from './configuration/configuration.module.ts';
import { ConsoleModule } from './console/console.module.ts';
import { EmbedOriginsModule } from './embed-origins/embed-origins.module.ts';
import { EventsModule } from './events/events.module.ts';
import { ExportModule } from './export/export.module.ts';
import { IdentityModule } from './identity/identity.module.ts';
import { SessionArchiveModule } from './identity/sessions/archive/session-archive.module.ts';
import { SessionTrailArchives } from './identity/sessions/archive/session-trail-archives.ts';
import { LedgerArchiveModule } from './ledger-archive/ledger-archive.module.ts';
import { LedgerArchives } from './ledger-archive/ledger-archives.ts';
import { MembersModule } from './members/members.module.ts';
import { NotificationsModule } from './notifications/notifications.module.ts';
import { OperatorsModule } from './ops/operators.module.ts';
import { OwnerEmailModule } from './owner-email/owner-email.module.ts';
import { PlatformHttp } from './platform-http.ts';
import { RecoveryModule } from './recovery/recovery.module.ts';
import { PasskeysModule } from './passkeys/passkeys.module.ts';
import { SignInSettingsModule } from './sign-in-settings/sign-in-settings.module.ts';
import { SignUpModule } from './signup/signup.module.ts';
import { SsoModule } from './sso/sso.module.ts';
import { PLATFORM_TABLES } from './tables.ts';
import { SuspensionsModule } from './suspensions/suspensions.module.ts';
import { TenantClosingModule } from './tenant-closing/tenant-closing.module.ts';
import { TenantSettingsModule } from './tenant-settings/tenant-settings.module.ts';
import { TenantsModule } from './tenants/tenants.module.ts';
import { WebhookDeliveriesModule } from './webhook-deliveries/webhook-deliveries.module.ts';
import { WebhookEndpointsModule } from './webhook-endpoints/webhook-endpoints.module.ts';
import { WebhookReplaysModule } from './webhook-replays/webhook-replays.module.ts';

@Module({
  imports: [
    // The kits. Nest opens them in this order, and closes them in reverse once the features have ended.
    SecretsModule.forRoot(PlatformConfig),
    TelemetryModule.forRoot(PlatformConfig, 'platform'),
    PersistenceModule.forRoot(PlatformConfig, {
      applicationName: 'platform',
      schema: 'platform',
      entities: PLATFORM_TABLES,
    }),
    StorageModule.forRoot(PlatformConfig),
    RateLimitModule.forRoot(PlatformConfig),
    KmsModule.forRoot(PlatformConfig),
    MailModule.forRoot(PlatformConfig),
    QueueModule.forRoot(PlatformConfig, 'platform'),
    LedgerModule.forRoot({ schema: 'platform' }),
    AuthModule.forRoot(PlatformConfig),
    // The features.
    SignUpModule,
    TenantsModule,
    TenantSettingsModule,
    RecoveryModule,
    OwnerEmailModule,
    ApiKeysModule,
    MembersModule,
    NotificationsModule,
    ConsoleModule,
    SignInSettingsModule,
    PasskeysModule,
    SsoModule,
    AuditLogModule,
    BillingModule,
    ArchivesModule.of([LedgerArchives, SessionTrailArchives], [LedgerArchiveModule, SessionArchiveModule]),
    TopupModule,
    RefundsModule,
    WebhookEndpointsModule,
    WebhookDeliveriesModule,
    WebhookReplaysModule,
    EventsModule,
    EmbedOriginsModule,
    IdentityModule,
    ExportModule,
    TenantConfigurationModule,
    OperatorsModule,
    SuspensionsModule,
    TenantClosingModule,
  ],
  providers: [{ provide: HttpOptions, useClass: PlatformHttp }],
})
export class PlatformModule {
  static forRoot(config: PlatformConfig): DynamicModule {
    return { module: PlatformModule, imports: [ConfigModule.forRoot(config)] };
  }
}

/**
 * The platform app: built, not listening. Does not fail while Postgres, Redis or the mail server is unavailable. Closing it closes what
 * it opened.
 */
export function createApp(config: PlatformConfig): Promise<NestFastifyApplication> {
  return createHttpApp(PlatformModule.forRoot(config));
}
