import { PasskeyChallenge } from '@constancia/auth/passkeys';
import { CHARGED_WORK_TABLES } from '@constancia/credit-ledger';
import { SignInCode } from '@constancia/mail';
import { ChainType } from '@constancia/persistence';
import { WalletDiscovery } from './consent/discovery.entity.ts';
import { Presentation } from './presentations/presentation.entity.ts';
import { ConsentEmbedSession, EmbedSession } from './embed/embed-session.entity.ts';
import { Flow } from './flows/flow.entity.ts';
import { Capture } from './hosted/capture.entity.ts';
import { CaptureToken } from './hosted/capture-token.entity.ts';
import { OidcClient } from './oidc/clients/oidc-client.entity.ts';
import { OidcGrantRelease } from './oidc/clients/oidc-grant-release.entity.ts';
import { OidcRelease } from './oidc/clients/oidc-release.entity.ts';
import { OidcRecord } from './oidc/store/oidc-record.entity.ts';
import { ConsentEvidenceRow } from './privacy/consent-evidence.entity.ts';
import { ErasureModule } from './privacy/erasure-module.entity.ts';
import { ErasureReceipt } from './privacy/erasure-receipt.entity.ts';
import { TenantSettings } from './privacy/identity-settings.entity.ts';
import { ArchivedSessionTrail } from './sessions/archive/archived-session-trail.entity.ts';
import { SessionTrailArchive } from './sessions/archive/session-trail-archive.entity.ts';
import { FlowSessionRow } from './sessions/flow-session.entity.ts';
import { SessionEvent } from './sessions/session-event.entity.ts';
import { SessionReview } from './sessions/session-review.entity.ts';
import { StepRun } from './sessions/step-run.entity.ts';
import { StatusEntry } from './status-lists/status-entry.entity.ts';
import { StatusListPool } from './status-lists/status-list-pool.entity.ts';
import { StatusListRow } from './status-lists/status-list.entity.ts';
import { SignerCheck } from './signers/signer-check.entity.ts';
import { LivenessChallenge } from './steps/liveness-challenge.entity.ts';
import { Subject } from './subjects/subject.entity.ts';
import { TokenKey } from './token-keys/token-key.entity.ts';
import { Asset } from './uploads/asset.entity.ts';
import { WalletConsent } from './wallet/wallet-consent.entity.ts';
import { WalletConsentRevocation } from './wallet/wallet-consent-revocation.entity.ts';
import { WalletFace } from './wallet/face/wallet-face.entity.ts';
import { WalletIndexKey } from './wallet/wallet-index-key.entity.ts';
import { WalletMail } from './wallet/wallet-mail.entity.ts';
import { WalletOffer } from './wallet/offers/wallet-offer.entity.ts';
import { WalletPasskey } from './wallet/passkeys/wallet-passkey.entity.ts';
import { WalletRequestSent } from './wallet/wallet-request-sent.entity.ts';
import { WalletCredentialCopy } from './wallet/credentials/wallet-credential-copy.entity.ts';
import { WalletCredential } from './wallet/credentials/wallet-credential.entity.ts';
import { CredentialNonce } from './wallet/issuance/credential-nonce.entity.ts';
import { CredentialOffer } from './wallet/credentials/credential-offer.entity.ts';
import { WalletRecovery, WalletRecoveryPicture } from './wallet/recovery/wallet-recovery.entity.ts';
import { WalletSession } from './wallet/sessions/wallet-session.entity.ts';
import { WalletVerification } from './wallet/wallet-verification.entity.ts';
import { Wallet } from './wallet/wallet.entity.ts';

/** Every table of schema identity, those of the kits at the end. Only the migrations' own is TypeORM's. */
export const IDENTITY_TABLES = [
  Flow,
  Capture,
  CaptureToken,
  CredentialNonce,
  CredentialOffer,
  EmbedSession,
  ConsentEmbedSession,
  ConsentEvidenceRow,
  ErasureModule,
  ErasureReceipt,
  OidcClient,
  OidcGrantRelease,
  OidcRelease,
  OidcRecord,
  TenantSettings,
  FlowSessionRow,
  SessionEvent,
  SessionReview,
  SessionTrailArchive,
  ArchivedSessionTrail,
  StepRun,
  LivenessChallenge,
  SignerCheck,
  StatusEntry,
  StatusListPool,
  StatusListRow,
  Subject,
  TokenKey,
  Asset,
  Wallet,
  WalletConsent,
  WalletConsentRevocation,
  WalletCredential,
  WalletCredentialCopy,
  WalletDiscovery,
  WalletFace,
  WalletIndexKey,
  WalletMail,
  WalletOffer,
  WalletPasskey,
  Presentation,
  WalletRecovery,
  WalletRecoveryPicture,
  WalletRequestSent,
  WalletSession,
  WalletVerification,
  ...CHARGED_WORK_TABLES,
  ChainType,
  PasskeyChallenge,
  SignInCode,
];
