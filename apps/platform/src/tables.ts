import { PasskeyChallenge } from '@constancia/auth/passkeys';
import { LEDGER_TABLES } from '@constancia/credit-ledger';
import { IdempotencyKey } from '@constancia/idempotency';
import { SignInCode } from '@constancia/mail';
import { AuditEntryRow } from './audit-log/audit-entry.entity.ts';
import { ReturnOriginsRow } from './billing/topup/return-origins.entity.ts';
import { TopupRefund } from './topup-refunds/topup-refund.entity.ts';
import { TopupPayment } from './billing/topup/topup-payment.entity.ts';
import { Topup } from './billing/topup/topup.entity.ts';
import { TrmRate } from './billing/trm/trm-rate.entity.ts';
import { StatementDocument } from './billing/statements/statement-document.entity.ts';
import { StatementKeyRow } from './billing/statements/statement-key.entity.ts';
import { EmbedOriginsRow } from './embed-origins/embed-origins.entity.ts';
import { EventRow } from './events/event.entity.ts';
import { LedgerArchive } from './ledger-archive/ledger-archive.entity.ts';
import { MemberDevice } from './members/member-device.entity.ts';
import { MemberLink } from './members/member-link.entity.ts';
import { MemberMail } from './members/member-mail.entity.ts';
import { MemberSession } from './members/member-session.entity.ts';
import { MemberToken } from './members/member-token.entity.ts';
import { Member } from './members/member.entity.ts';
import { MemberNotification } from './notifications/member-notification.entity.ts';
import { NotificationSettingsRow } from './notifications/notification-settings.entity.ts';
import { OperatorAct } from './ops/operator-act.entity.ts';
import { PendingGrant } from './ops/pending-grant.entity.ts';
import { OwnerEmailChange } from './tenants/owner-email-change.entity.ts';
import { OwnerProof } from './owner-email/owner-proof.entity.ts';
import { OwnerNotice } from './owner-notices/owner-notice.entity.ts';
import { RecoveryRequest } from './recovery/recovery-request.entity.ts';
import { RecoveryToken } from './recovery/recovery-token.entity.ts';
import { Passkey } from './passkeys/passkey.entity.ts';
import { SignInSettingsRow } from './sign-in-settings/sign-in-settings.entity.ts';
import { ApiKeyUse } from './api-keys/api-key-use.entity.ts';
import { ApiKey } from './api-keys/api-key.entity.ts';
import { TenantClosing } from './tenants/tenant-closing.entity.ts';
import { TenantLogo } from './tenants/tenant-logo.entity.ts';
import { SsoAttempt } from './sso/sso-attempt.entity.ts';
import { Sso } from './sso/sso.entity.ts';
import { TenantRetention } from './tenant-settings/tenant-retention.entity.ts';
import { TenantRow } from './tenants/tenant.entity.ts';
import { DeliveryAttemptRow } from './webhook-deliveries/delivery-attempt.entity.ts';
import { DeliveryRow } from './webhook-deliveries/delivery.entity.ts';
import { WebhookEndpointRow } from './webhook-endpoints/webhook-endpoint.entity.ts';
import { ReplayRun } from './webhook-replays/replay-run.entity.ts';

/** Every table of schema platform, those of the kits at the end. Only the migrations' own is TypeORM's. */
export const PLATFORM_TABLES = [
  AuditEntryRow,
  EventRow,
  MemberDevice,
  MemberLink,
  MemberMail,
  MemberSession,
  MemberToken,
  Member,
  MemberNotification,
  NotificationSettingsRow,
  SignInCode,
  Sso,
  SsoAttempt,
  SignInSettingsRow,
  Passkey,
  PasskeyChallenge,
  OperatorAct,
  PendingGrant,
  OwnerEmailChange,
  OwnerProof,
  OwnerNotice,
  RecoveryRequest,
  RecoveryToken,
  ApiKey,
  ApiKeyUse,
  TenantClosing,
  TenantLogo,
  TenantRetention,
  TenantRow,
  DeliveryAttemptRow,
  DeliveryRow,
  WebhookEndpointRow,
  ReplayRun,
  Topup,
  TopupPayment,
  TopupRefund,
  ReturnOriginsRow,
  EmbedOriginsRow,
  TrmRate,
  StatementDocument,
  StatementKeyRow,
  ...LEDGER_TABLES,
  LedgerArchive,
  IdempotencyKey,
];
