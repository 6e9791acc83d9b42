import type { ModuleSchema } from '@constancia/persistence';
import { DeliveriesByType1764000005300 } from './1764000005300-deliveries-by-type.ts';
import { MemberNotifications1764000005420 } from './1764000005420-member-notifications.ts';
import { LedgerVerifiedInOnePass1764000005530 } from './1764000005530-ledger-verified-in-one-pass.ts';
import { CertificateNotifications1764000007300 } from './1764000007300-certificate-notifications.ts';
import { SenderNotifications1764000007320 } from './1764000007320-sender-notifications.ts';
import { FlatReplays1764000008000 } from './1764000008000-flat-replays.ts';
import { SecondPersonNotifications1764000009000 } from './1764000009000-second-person-notifications.ts';
import { InvitationFacts1764000009005 } from './1764000009005-invitation-facts.ts';
import { InvitationEnds1764000009120 } from './1764000009120-invitation-ends.ts';
import { PublicLogos1764000005340 } from './1764000005340-public-logos.ts';
import { TenantProfileOfIdentity1764000004820 } from './1764000004820-tenant-profile-of-identity.ts';
import { SharedSignInCodes1764000004700 } from './1764000004700-shared-sign-in-codes.ts';
import { TenantsAndLedger1763700000100 } from './1763700000100-tenants-and-ledger.ts';
import { Webhooks1763700000200 } from './1763700000200-webhooks.ts';
import { DeliveryLoop1763700000210 } from './1763700000210-delivery-loop.ts';
import { Replays1763700000220 } from './1763700000220-replays.ts';
import { TenancyFunctions1763700000300 } from './1763700000300-tenancy-functions.ts';
import { TenantProfile1763700000310 } from './1763700000310-tenant-profile.ts';
import { OperatorsDeliveries1763700000942 } from './1763700000942-operators-deliveries.ts';
import { OperatorsLog1763700000940 } from './1763700000940-operators-log.ts';
import { OperatorsReplays1763700000941 } from './1763700000941-operators-replays.ts';
import { OperatorsTenants1763700000943 } from './1763700000943-operators-tenants.ts';
import { Figures1763700000960 } from './1763700000960-figures.ts';
import { OwnerNotices1764000000500 } from './1764000000500-owner-notices.ts';
import { TenantContact1764000000400 } from './1764000000400-tenant-contact.ts';
import { EndpointsAndEventLog1764000000600 } from './1764000000600-endpoints-and-event-log.ts';
import { WaitingDeliveries1764000000610 } from './1764000000610-waiting-deliveries.ts';
import { MissingReplays1764000000620 } from './1764000000620-missing-replays.ts';
import { Callers1763900000500 } from './1763900000500-callers.ts';
import { EmissionRules1764000000690 } from './1764000000690-emission-rules.ts';
import { EventsAbout1764000000640 } from './1764000000640-events-about.ts';
import { OperatorsCounts1764000000650 } from './1764000000650-operators-counts.ts';
import { OwnerEmail1764000001000 } from './1764000001000-owner-email.ts';
import { RotationAnswers1764000001010 } from './1764000001010-rotation-answers.ts';
import { PendingGrants1764000001101 } from './1764000001101-pending-grants.ts';
import { BillingMembers1764000003300 } from './1764000003300-billing-members.ts';
import { Members1764000002200 } from './1764000002200-members.ts';
import { ScopedCredentials1764000002000 } from './1764000002000-scoped-credentials.ts';
import { AuditLog1764000002100 } from './1764000002100-audit-log.ts';
import { Topups1764000003000 } from './1764000003000-topups.ts';
import { ApiKeys1764000002110 } from './1764000002110-api-keys.ts';
import { DailyTotals1764000003100 } from './1764000003100-daily-totals.ts';
import { LowBalance1764000003110 } from './1764000003110-low-balance.ts';
import { SignInMethods1764000003400 } from './1764000003400-sign-in-methods.ts';
import { Passkeys1764000003410 } from './1764000003410-passkeys.ts';
import { SealedStatements1764000003120 } from './1764000003120-sealed-statements.ts';
import { Sso1764000003500 } from './1764000003500-sso.ts';
import { Suspensions1764000003900 } from './1764000003900-suspensions.ts';
import { TenantSettings1764000003600 } from './1764000003600-tenant-settings.ts';
import { TopupRefunds1764000003700 } from './1764000003700-topup-refunds.ts';
import { EmbedOrigins1764000004100 } from './1764000004100-embed-origins.ts';
import { UnansweredRefunds1764000003951 } from './1764000003951-unanswered-refunds.ts';
import { Closings1764000004500 } from './1764000004500-closings.ts';
import { TenantRetention1764000003950 } from './1764000003950-tenant-retention.ts';
import { TenantExports1764000004600 } from './1764000004600-tenant-exports.ts';
import { PublishedEmbedOrigins1764000004610 } from './1764000004610-published-embed-origins.ts';
import { TenantLists1764000009100 } from './1764000009100-tenant-lists.ts';
import { SettledNotifications1764000009200 } from './1764000009200-settled-notifications.ts';
import { LedgerArchive1764000009300 } from './1764000009300-ledger-archive.ts';
import { TenantsByName1764000009400 } from './1764000009400-tenants-by-name.ts';
import { LedgerRowsCompared1764000009410 } from './1764000009410-ledger-rows-compared.ts';
import { BatchesAsArrays1764000009500 } from './1764000009500-batches-as-arrays.ts';
import { TenantsByNameForIdentity1764000009800 } from './1764000009800-tenants-by-name-for-identity.ts';

/** The platform schema: its migrations in order. */
export const PLATFORM: ModuleSchema = {
  schema: 'platform',
  migrations: [
    TenantsAndLedger1763700000100,
    Webhooks1763700000200,
    DeliveryLoop1763700000210,
    Replays1763700000220,
    TenancyFunctions1763700000300,
    TenantProfile1763700000310,
    OperatorsLog1763700000940,
    OperatorsReplays1763700000941,
    OperatorsDeliveries1763700000942,
    OperatorsTenants1763700000943,
    Figures1763700000960,
    OwnerNotices1764000000500,
    TenantContact1764000000400,
    EndpointsAndEventLog1764000000600,
    WaitingDeliveries1764000000610,
    MissingReplays1764000000620,
    Callers1763900000500,
    EmissionRules1764000000690,
    EventsAbout1764000000640,
    OperatorsCounts1764000000650,
    OwnerEmail1764000001000,
    RotationAnswers1764000001010,
    PendingGrants1764000001101,
    ScopedCredentials1764000002000,
    AuditLog1764000002100,
    ApiKeys1764000002110,
    Members1764000002200,
    Topups1764000003000,
    DailyTotals1764000003100,
    LowBalance1764000003110,
    SealedStatements1764000003120,
    BillingMembers1764000003300,
    SignInMethods1764000003400,
    Passkeys1764000003410,
    Sso1764000003500,
    TenantSettings1764000003600,
    TopupRefunds1764000003700,
    Suspensions1764000003900,
    TenantRetention1764000003950,
    UnansweredRefunds1764000003951,
    EmbedOrigins1764000004100,
    Closings1764000004500,
    TenantExports1764000004600,
    PublishedEmbedOrigins1764000004610,
    SharedSignInCodes1764000004700,
    TenantProfileOfIdentity1764000004820,
    DeliveriesByType1764000005300,
    PublicLogos1764000005340,
    MemberNotifications1764000005420,
    LedgerVerifiedInOnePass1764000005530,
    CertificateNotifications1764000007300,
    SenderNotifications1764000007320,
    FlatReplays1764000008000,
    SecondPersonNotifications1764000009000,
    InvitationFacts1764000009005,
    TenantLists1764000009100,
    InvitationEnds1764000009120,
    SettledNotifications1764000009200,
    LedgerArchive1764000009300,
    TenantsByName1764000009400,
    LedgerRowsCompared1764000009410,
    BatchesAsArrays1764000009500,
    TenantsByNameForIdentity1764000009800,
  ],
};
