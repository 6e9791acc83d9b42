import { LedgerReader } from '@constancia/credit-ledger';
import { Idempotency } from '@constancia/idempotency';
import { SecretBox } from '@constancia/kernel';
import { Mailer } from '@constancia/mail';
import { Database } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ShowBalance } from './billing/show-balance.ts';
import { ShowLedger } from './billing/show-ledger.ts';
import { PlatformConfig } from './config.ts';
import { EventsModule } from './events/events.module.ts';
import { IdentityModule } from './identity/identity.module.ts';
import type { FlowParts } from './identity/identity-parts.ts';
import type { SubjectParts } from './identity/subject-parts.ts';
import { OperatorsModule } from './ops/operators.module.ts';
import { ProveOwnerEmail } from './owner-email/prove-owner-email.ts';
import { RequestProofMail } from './owner-email/request-proof-mail.ts';
import { OwnerNotices } from './owner-notices/owner-notices.ts';
import { RecoveryMails } from './recovery/send-recovery-mails.ts';
import { RequestApiKeyRecovery } from './recovery/request-api-key-recovery.ts';
import { SignUp } from './signup/sign-up.ts';
import { RotateApiKey } from './tenants/rotate-api-key.ts';
import { RotateWebhookSecret } from './tenants/rotate-webhook-secret.ts';
import { ShowTenant } from './tenants/show-tenant.ts';
import { WebhookDeliveriesModule } from './webhook-deliveries/webhook-deliveries.module.ts';
import { WebhookEndpointsModule } from './webhook-endpoints/webhook-endpoints.module.ts';
import { WebhookReplaysModule } from './webhook-replays/webhook-replays.module.ts';

/** What every feature of the platform may ask for; made once, in app.ts. */
export interface PlatformParts {
  config: PlatformConfig;
  database: Database;
  secrets: SecretBox;
  queues: Queues;
  mailer: Mailer;
  ledger: LedgerReader;
  recoveryMails: RecoveryMails;
  ownerNotices: OwnerNotices;
  idempotency: Idempotency;
  flows: FlowParts;
  subjects: SubjectParts;
}

@Global()
@Module({})
export class PlatformPartsModule {}

@Module({
  controllers: [
    SignUp,
    ShowTenant,
    RotateApiKey,
    RotateWebhookSecret,
    RequestApiKeyRecovery,
    ProveOwnerEmail,
    RequestProofMail,
  ],
})
export class TenantsModule {}

@Module({ controllers: [ShowBalance, ShowLedger] })
export class BillingModule {}

@Module({})
export class PlatformModule {
  static of(parts: PlatformParts): DynamicModule {
    const providers = [
      { provide: PlatformConfig, useValue: parts.config },
      { provide: Database, useValue: parts.database },
      { provide: SecretBox, useValue: parts.secrets },
      { provide: Queues, useValue: parts.queues },
      { provide: Mailer, useValue: parts.mailer },
      { provide: LedgerReader, useValue: parts.ledger },
      { provide: RecoveryMails, useValue: parts.recoveryMails },
      { provide: OwnerNotices, useValue: parts.ownerNotices },
      { provide: Idempotency, useValue: parts.idempotency },
    ];
    const shared: DynamicModule = { module: PlatformPartsModule, providers, exports: providers };
    return {
      module: PlatformModule,
      imports: [
        shared,
        TenantsModule,
        BillingModule,
        WebhookEndpointsModule,
        WebhookDeliveriesModule,
        WebhookReplaysModule,
        EventsModule,
        IdentityModule.of(parts.flows, parts.subjects),
        OperatorsModule,
      ],
    };
  }
}
