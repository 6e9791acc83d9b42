export type { Acting, Actor } from './actors.ts';
export { API_PATHS, hostsServing } from './api-paths.ts';
export { logoPath, shownTenant } from './brand/shown-tenant.ts';
export type { BrandRow, ShownLogo, ShownTenant } from './brand/shown-tenant.ts';
export {
  CAPTURE_KINDS,
  CAPTURE_ROUTES,
  CAPTURE_STATUSES,
  CAPTURE_TOKEN,
  PASSIVE_FRAMES,
  PERSON_LOCALES,
} from './capture.ts';
export type {
  CaptureAdvance,
  CaptureChallenge,
  CaptureClaim,
  CapturedPicture,
  CaptureDevice,
  CaptureHandover,
  CaptureInput,
  CaptureKind,
  CaptureResult,
  CaptureState,
  CaptureStatus,
  CaptureStep,
  PersonLocale,
} from './capture.ts';
export {
  CONSENT_CLAIMS,
  CONSENT_METHODS,
  PRESENTATION_SECONDS,
  CONSENT_PAGE,
  CONSENT_ROUTES,
  CONSENT_TOKEN,
  CONSENT_WRONG_CODES,
} from './consent.ts';
export type {
  ConsentApproval,
  ConsentClaim,
  ConsentClaimView,
  ConsentCode,
  ConsentCodeRequest,
  ConsentEnd,
  ConsentMethod,
  ConsentObstacle,
  ConsentRefusal,
  ConsentReport,
  ConsentState,
} from './consent.ts';
export {
  COLOR_SCHEMES,
  EMBED_ACCESS_TOKEN,
  EMBED_HOSTS,
  EMBED_KINDS,
  EMBED_PAGE,
  EMBED_STATES,
  EMBED_TOKEN,
  embedPath,
  embedTokenIn,
} from './embed.ts';
export type { EmbedExchange, EmbedExchanged, EmbedKind, EmbedState, EmbedTheme } from './embed.ts';
export { isMet, SENDER, visibleFields } from './signing/field-conditions.ts';
export type { FieldCondition } from './signing/field-conditions.ts';
export { OPENID_CLAIMS, OPENID_PAGE, OPENID_ROUTES } from './openid.ts';
export type { OpenIdClaim, OpenIdEnd, OpenIdState } from './openid.ts';
export type { ApiHost } from './api-paths.ts';
export { TENANT_STANDINGS } from './tenant-standing.ts';
export type { TenantStanding } from './tenant-standing.ts';
export { PROBLEMS } from './problems.ts';
export { AUDIT_ACTION_TEXTS, AUDIT_ACTIONS } from './audit-actions.ts';
export type { AuditAction } from './audit-actions.ts';
export { ROLE_SCOPES, ROLES, SCOPE_TEXTS, SCOPES } from './scopes.ts';
export type { Role, Scope } from './scopes.ts';
export type { ProblemSlug } from './problems.ts';
export { MAX_INT32, shape, TEXT_PATTERN } from './shapes.ts';
export { operationOf, OPERATIONS, PRICE, SANDBOX_GRANT } from './prices.ts';
export type { Operation } from './prices.ts';
export { EVENT_CATALOGUE } from './events/event-catalogue.ts';
export { exampleOf } from './events/event-examples.ts';
export type { PayloadMember } from './events/payload-members.ts';
export { EVENT_MODULES, EVENT_TYPES, EVERY_MODULE_EVENT_TYPES } from './modules.ts';
export type { Environment, EventModule } from './modules.ts';
export { ERASING_MODULES } from './erasures.ts';
export type {
  ErasingModule,
  ErasureRequest,
  ErasureRequestMessage,
  ErasureResultMessage,
  ModuleErasure,
} from './erasures.ts';
export { HISTORIES, HISTORY_PROCESSES, RETENTION_PERIODS } from './retention.ts';
export type { HistoryName, Retention, RetentionPeriod } from './retention.ts';
export { QUEUES } from './queues.ts';
export type {
  DeliveryHint,
  QueueMessages,
  QueueName,
  ScreeningRequest,
  ScreeningRequestMessage,
  ScreeningResult,
  ScreeningResultMessage,
} from './queues.ts';
export type { SessionReviewMessage, SessionReviewRequest, SessionReviewResult } from './session-reviews.ts';
export { SIGNER_IDENTITY_REFUSALS } from './signer-identity.ts';
export type {
  IdentityEvidence,
  SignerIdentityMessage,
  SignerIdentityMethod,
  SignerIdentityRefusal,
  SignerIdentityRequest,
  SignerIdentityResult,
  SignerIdentityResultMessage,
  VerifiedSigner,
} from './signer-identity.ts';
export { SSO_FAILURES } from './sso-failures.ts';
export type { SsoFailure } from './sso-failures.ts';
export { SUBJECT_ERASED, SUBJECT_RECORD_CONTEXT, subjectKeyContext } from './subject-keys.ts';
export { SIGNING_CONTEXT } from './signing/signing-contexts.ts';
export type {
  EnvelopeEndReason,
  EnvelopeWords,
  SignerMark,
  SignerPerson,
  SignerValues,
} from './signing/signing-contexts.ts';
export type { SealedSubjectRecord } from './subject-keys.ts';
export { PASSIVE_POLICIES, STEP_OUTCOMES, STEP_RUN_DONE, stepResultContext } from './step-runs.ts';
export type {
  DocumentStepInput,
  DocumentStepResult,
  FaceStepInput,
  FaceStepResult,
  LivenessEvidenceKind,
  LivenessMode,
  PassiveLivenessResult,
  PassivePolicy,
  StepOutcome,
} from './step-runs.ts';
export {
  KEEP_ROUTES,
  CREDENTIAL_SECONDS,
  CREDENTIAL_STATES,
  STATUS_LIST_SECONDS,
  STATUS_LIST_TTL_SECONDS,
  WALLET_ERASED,
  WALLET_CONSENT_KINDS,
  WALLET_LEVELS,
  WALLET_PAGE,
  WALLET_PASSKEY_ROUTES,
  WALLET_ROUTES,
  WALLET_SESSION_SECONDS,
  walletFaceRecord,
  walletKeyContext,
  walletRecordContext,
} from './wallet.ts';
export {
  recoveryPictureRecord,
  WALLET_RECOVERY_CHECKS,
  WALLET_RECOVERY_ROUTES,
  WALLET_RECOVERY_STATES,
} from './wallet-recovery.ts';
export type {
  KeepConfirmation,
  KeepRequest,
  KeepState,
  KeepText,
  CredentialState,
  WalletChallenge,
  WalletCredentialFacts,
  WalletCredentialOffer,
  WalletConsentKind,
  WalletErasure,
  WalletExport,
  WalletExportedReceipt,
  WalletLevel,
  WalletPasskeyFacts,
  WalletReceipt,
  WalletSignIn,
  WalletSummary,
  WalletVerificationFacts,
} from './wallet.ts';
export type {
  WalletRecoveryChallenge,
  WalletRecoveryCompletion,
  WalletRecoveryFacts,
  WalletRecoveryStart,
  WalletRecoveryState,
  WalletRecoveryVerified,
  RecoveryCheckInput,
} from './wallet-recovery.ts';
