import type { PersonLocale } from './capture.ts';

/** How long a wallet session is valid, from its sign-in. */
export const WALLET_SESSION_SECONDS = 600;

/** How long a signed status list is valid, and after how long those who keep it fetch it again. */
export const STATUS_LIST_SECONDS = 3_600;
export const STATUS_LIST_TTL_SECONDS = 300;

/** How long a credential is valid, from the day of its issue. */
export const CREDENTIAL_SECONDS = 90 * 86_400;

/** NOTIFY channel of the identity schema: payload is the id of a wallet whose data key was destroyed. */
export const WALLET_ERASED = 'wallet_erased';

/** What KMS binds a wallet's wrapped key to. */
export const walletKeyContext = (walletId: string): Record<string, string> => ({ purpose: 'wallet', wallet: walletId });

/** What a sealed record of a wallet is bound to (AAD). */
export const walletRecordContext = (walletId: string, record: string): string => `wallet:${walletId}|${record}`;

/** The picture of the face that a wallet keeps, of its last verification with one. */
export const walletFaceRecord = (verificationId: string): string => `face:${verificationId}`;

/**
 * The routes of the person host with which a person keeps a verification, at the end of a session that ended verified. As CAPTURE_ROUTES:
 * the capture token is the credential. 409 state-conflict where there is nothing to keep.
 */
export const KEEP_ROUTES = {
  /** GET → 200 KeepState. */
  state: '/capture/wallet',
  /** POST KeepRequest → 202 KeepState: mails a code to the address. The same whether or not the person or the address has a wallet. */
  request: '/capture/wallet',
  /** POST KeepConfirmation → 200 KeepState; 422 for a wrong code, 429 after five. */
  confirm: '/capture/wallet/confirm',
} as const;

/** What the person agrees to. sha256: of the text's UTF-8 bytes, hex. */
export interface KeepText {
  version: string;
  locale: PersonLocale;
  text: string;
  sha256: string;
}

/** offered: nothing is stored; code_sent: the address has to be confirmed; confirmed: the person gets a mail about what comes of it. */
export interface KeepState {
  state: 'offered' | 'code_sent' | 'confirmed';
  consent: KeepText;
  /** The address that was given, masked. */
  email: string | null;
}

/** version, locale and sha256: of the text that was shown. */
export interface KeepRequest {
  accepted: true;
  email: string;
  version: string;
  locale: PersonLocale;
  sha256: string;
}

export interface KeepConfirmation {
  /** Six digits. */
  code: string;
}

/** What a verification looked at: the document; the face too; the face, which took the poses that the server asked for. */
export const WALLET_LEVELS = ['document', 'document_face', 'document_face_liveness'] as const;
export type WalletLevel = (typeof WALLET_LEVELS)[number];

/** The page of the person host where a person signs in to their wallet. */
export const WALLET_PAGE = '/wallet';

/** The operations of the API with which a person uses their wallet, which its page calls on its own host. The wallet session is the credential. */
export const WALLET_ROUTES = {
  /** POST {identifier} → 202 WalletChallenge, for every address. */
  start: '/v1/wallet/sessions/start',
  /** POST {challenge_id, code} → 200 WalletSignIn; 401 for a wrong code, 429 after five. */
  verify: '/v1/wallet/sessions/verify',
  /** DELETE → 204. */
  session: '/v1/wallet/sessions',
  /** DELETE → 200 WalletErasure. */
  wallet: '/v1/wallet/me',
  /** GET → 200 WalletExport. */
  export: '/v1/wallet/me/export',
  /** PUT {enabled} → 200 {enabled}. */
  discoverable: '/v1/wallet/me/discoverable',
  /** DELETE → 204, the recovery that is under way is cancelled; 404. */
  recovery: '/v1/wallet/me/recovery',
  /** POST `{}` → 200 WalletReceipt, withdrawn; 409 for one of kind keep. `{id}`: of the receipt. */
  revokeConsent: '/v1/wallet/me/consents/{id}/revoke',
  /** POST `{}` → 201 WalletCredentialOffer; 429 after ten in an hour. */
  offers: '/v1/wallet/me/credential-offers',
  /** GET → 200 {data: WalletCredentialFacts[]}, newest first; DELETE …/{id} → 204: revokes a credential. */
  credentials: '/v1/wallet/me/credentials',
} as const;

/** Routes of the person host alone, for its page: what a browser signs counts on its own origin. Bodies are those of WebAuthn, as JSON. */
export const WALLET_PASSKEY_ROUTES = {
  /** GET → 200 {data: WalletPasskeyFacts[]}; DELETE …/{id} → 204. Of the API, too. POST {name, credential} → 201. */
  passkeys: '/v1/wallet/me/passkeys',
  /** POST → 200 what navigator.credentials.create() takes. */
  registration: '/v1/wallet/me/passkeys/options',
  /** POST → 200 what navigator.credentials.get() takes. */
  challenge: '/v1/wallet/sessions/passkey/options',
  /** POST what it signed → 200 WalletSignIn; 401. */
  signIn: '/v1/wallet/sessions/passkey',
} as const;

export const CREDENTIAL_STATES = ['valid', 'revoked', 'superseded', 'expired'] as const;
export type CredentialState = (typeof CREDENTIAL_STATES)[number];

/** A credential that the person has had issued, without what it says. */
export interface WalletCredentialFacts {
  id: string;
  verification_id: string;
  status: CredentialState;
  copies: number;
  issued_at: string;
  expires_at: string;
  /** When it was revoked or superseded. */
  ended_at: string | null;
}

/** With which a wallet app gets a credential, and the second code, which is mailed. Shown once. */
export interface WalletCredentialOffer {
  credential_offer_uri: string;
  /** `openid-credential-offer://…`: opens a wallet app, or is scanned by one. */
  offer_link: string;
  expires_at: string;
}

export interface WalletPasskeyFacts {
  id: string;
  name: string;
  backed_up: boolean;
  created_at: string;
  last_used_at: string | null;
}

export interface WalletChallenge {
  /** Opaque. */
  challenge_id: string;
  expires_at: string;
}

export interface WalletSignIn {
  wallet_session_jwt: string;
  expires_at: string;
}

/** Of a wallet, without who its person is. level and verified_at: of the last verification. */
export interface WalletSummary {
  wallet_id: string;
  /** Masked. */
  contacts: string[];
  level: WalletLevel;
  verified_at: string;
  discoverable: boolean;
  /** When a recovery that is under way takes effect, unless it is cancelled; null: none is. */
  recovery_effective_at: string | null;
  created_at: string;
}

export interface WalletVerificationFacts {
  id: string;
  level: WalletLevel;
  verified_at: string;
  added_at: string;
  /** The name of who asked for the verification. */
  verified_for: string;
  document_type: string;
  document_country: string;
  document_number: string;
  full_name: string | null;
  /** YYYY-MM-DD. */
  birth_date: string | null;
}

/** keep: the verification may be kept; share: a company may have it. */
export const WALLET_CONSENT_KINDS = ['keep', 'share'] as const;
export type WalletConsentKind = (typeof WALLET_CONSENT_KINDS)[number];

/** What was agreed to, with the text that was shown. */
export interface WalletReceipt {
  id: string;
  kind: WalletConsentKind;
  given_at: string;
  /** When the person withdrew it; null: they have not, or it is of kind keep, which ends with the wallet. */
  revoked_at: string | null;
  verified_for: string;
  /** Of kind share: what was given to whom, and what for. */
  shared: { with: string; purpose: string; claims: string[] } | null;
  text_version: string;
  locale: PersonLocale;
  /** Of the text's UTF-8 bytes, hex. */
  text_sha256: string;
  text: string;
}

/** A receipt with where the person agreed from. */
export interface WalletExportedReceipt extends WalletReceipt {
  ip: string;
  user_agent: string | null;
  /** Of the website that showed the request inside its page, as the company stated it; null: no website did. */
  frame_origin: string | null;
}

/** Everything that a wallet holds, in the clear. Newest first. */
export interface WalletExport extends WalletSummary {
  email: string;
  verifications: WalletVerificationFacts[];
  consents: WalletExportedReceipt[];
  passkeys: WalletPasskeyFacts[];
  credentials: WalletCredentialFacts[];
  /** Since when a picture of the face is kept, to recover the wallet; null: none is. The picture itself is never given out. */
  face_kept_at: string | null;
  exported_at: string;
}

export interface WalletErasure {
  receipt_id: string;
  wallet_id: string;
  erased_at: string;
  erased: string[];
  kept: string[];
  legal_basis: string;
  not_covered: string;
}
