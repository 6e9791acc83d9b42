import type { ModuleSchema } from '@constancia/persistence';
import { IdentityChargedWork1763700000100 } from './1763700000100-charged-work.ts';
import { FlowsAndSessions1763700000110 } from './1763700000110-flows-and-sessions.ts';
import { SubjectsAndAssets1763700000120 } from './1763700000120-subjects-and-assets.ts';
import { OperatorsSessions1763700000940 } from './1763700000940-operators-sessions.ts';
import { IdentityTraces1763700000960 } from './1763700000960-traces.ts';
import { IdentityWriteRules1763900000500 } from './1763900000500-write-rules.ts';
import { IdentityModuleErasures1764000000110 } from './1764000000110-module-erasures.ts';
import { IdentitySessionReviews1764000000120 } from './1764000000120-session-reviews.ts';
import { IdentityOwnedAnswers1764000000100 } from './1764000000100-owned-answers.ts';
import { IdentityForgetReviews1764000001100 } from './1764000001100-forget-reviews.ts';
import { IdentityReviewers1764000002000 } from './1764000002000-reviewers.ts';
import { IdentityCaptures1764000003800 } from './1764000003800-captures.ts';
import { IdentitySignerChecks1764000004000 } from './1764000004000-signer-checks.ts';
import { IdentityEmbedSessions1764000004100 } from './1764000004100-embed-sessions.ts';
import { IdentityClosedTenants1764000004500 } from './1764000004500-closed-tenants.ts';
import { IdentityTokenKeys1764000004700 } from './1764000004700-token-keys.ts';
import { IdentityWallets1764000004710 } from './1764000004710-wallets.ts';
import { IdentityWalletSessions1764000004720 } from './1764000004720-wallet-sessions.ts';
import { IdentityWalletPasskeys1764000004730 } from './1764000004730-wallet-passkeys.ts';
import { IdentityPresentations1764000004750 } from './1764000004750-presentations.ts';
import { IdentityStatusLists1764000004910 } from './1764000004910-status-lists.ts';
import { IdentityWalletCredentials1764000004920 } from './1764000004920-wallet-credentials.ts';
import { IdentityCredentialOffers1764000004930 } from './1764000004930-credential-offers.ts';
import { IdentityWalletFaces1764000005010 } from './1764000005010-wallet-faces.ts';
import { IdentityWalletRecoveries1764000005020 } from './1764000005020-wallet-recoveries.ts';
import { IdentityRequestsOfSessions1764000005100 } from './1764000005100-requests-of-sessions.ts';
import { IdentityOidcClients1764000004810 } from './1764000004810-oidc-clients.ts';
import { IdentityOidcRecords1764000004800 } from './1764000004800-oidc-records.ts';
import { IdentityPresentationsByApps1764000005130 } from './1764000005130-presentations-by-apps.ts';
import { IdentityConsentEmbedSessions1764000005200 } from './1764000005200-consent-embed-sessions.ts';
import { IdentityExpiredRecoveries1764000005400 } from './1764000005400-expired-recoveries.ts';
import { IdentityFlatReads1764000005510 } from './1764000005510-flat-reads.ts';
import { OperatorsSubjects1764000000630 } from './1764000000630-operators-subjects.ts';
import { IdentityReusedPresentations1764000004760 } from './1764000004760-reused-presentations.ts';
import { IdentityTenantRetention1764000003950 } from './1764000003950-tenant-retention.ts';
import { IdentityTenantLists1764000009100 } from './1764000009100-tenant-lists.ts';
import { SettledReviews1764000009200 } from './1764000009200-settled-reviews.ts';
import { IdentityWorkAsArrays1764000009510 } from './1764000009510-work-as-arrays.ts';
import { SessionTrailArchive1764000009800 } from './1764000009800-session-trail-archive.ts';

/** The schema that flows, sessions, subjects and uploads live in. */
export const IDENTITY: ModuleSchema = {
  schema: 'identity',
  migrations: [
    IdentityChargedWork1763700000100,
    FlowsAndSessions1763700000110,
    SubjectsAndAssets1763700000120,
    OperatorsSessions1763700000940,
    IdentityTraces1763700000960,
    IdentityWriteRules1763900000500,
    IdentityOwnedAnswers1764000000100,
    IdentityModuleErasures1764000000110,
    IdentitySessionReviews1764000000120,
    OperatorsSubjects1764000000630,
    IdentityForgetReviews1764000001100,
    IdentityReviewers1764000002000,
    IdentityCaptures1764000003800,
    IdentityTenantRetention1764000003950,
    IdentitySignerChecks1764000004000,
    IdentityEmbedSessions1764000004100,
    IdentityClosedTenants1764000004500,
    IdentityTokenKeys1764000004700,
    IdentityWallets1764000004710,
    IdentityWalletSessions1764000004720,
    IdentityWalletPasskeys1764000004730,
    IdentityPresentations1764000004750,
    IdentityReusedPresentations1764000004760,
    IdentityStatusLists1764000004910,
    IdentityWalletCredentials1764000004920,
    IdentityCredentialOffers1764000004930,
    IdentityWalletFaces1764000005010,
    IdentityWalletRecoveries1764000005020,
    IdentityOidcRecords1764000004800,
    IdentityOidcClients1764000004810,
    IdentityRequestsOfSessions1764000005100,
    IdentityPresentationsByApps1764000005130,
    IdentityConsentEmbedSessions1764000005200,
    IdentityExpiredRecoveries1764000005400,
    IdentityFlatReads1764000005510,
    IdentityTenantLists1764000009100,
    SettledReviews1764000009200,
    IdentityWorkAsArrays1764000009510,
    SessionTrailArchive1764000009800,
  ],
};
