/**
 * The operations with which a person who lost the passkeys of a wallet, or has to revoke them, gets a new one to be the only one. They take no
 * credential; an address has a wallet or not, the answers are the same until the mailed code is right.
 */
export const WALLET_RECOVERY_ROUTES = {
  /** POST {identifier} → 202 WalletRecoveryStart, for every address. */
  start: '/v1/wallet/recovery/start',
  /** POST {recovery_id, code} → 200 WalletRecoveryVerified; 422 for a wrong code; 409 once it has ended, as after three (`reason`: wrong_codes, another). */
  verify: '/v1/wallet/recovery/verify',
  /** POST WalletRecoveryCompletion → 200 WalletRecoveryFacts, once the face was compared or 20 s are over. */
  complete: '/v1/wallet/recovery/complete',
  /** POST → 200 {}; 404. `{cancel_token}`: of the mail. */
  cancel: '/v1/wallet/recovery/cancel/{cancel_token}',
  /** GET → 200 WalletRecoveryFacts. */
  show: '/v1/wallet/recovery/{recovery_id}',
  /** Below `upload_url`. POST → 201 WalletRecoveryChallenge. */
  challenge: '/challenge',
  /** Below `upload_url`, of the person host alone. POST → 200 what navigator.credentials.create() takes. */
  passkey: '/passkey',
} as const;

/**
 * started: a code is mailed, if the address has a wallet. contact_verified: the face has to be compared. biometric_verified: it was. cooling: the
 * time in which anyone with old access can cancel.
 */
export const WALLET_RECOVERY_STATES = [
  'started',
  'contact_verified',
  'biometric_verified',
  'cooling',
  'completed',
  'cancelled',
  'expired',
  'rejected',
] as const;
export type WalletRecoveryState = (typeof WALLET_RECOVERY_STATES)[number];

/** Checks of a face that a recovery has. */
export const WALLET_RECOVERY_CHECKS = 3;

export interface WalletRecoveryStart {
  recovery_id: string;
  expires_at: string;
}

export interface WalletRecoveryVerified {
  state: 'needs_liveness';
  /** PUT each picture here → 201 {stored_uri}. */
  upload_url: string;
  expires_at: string;
}

/** Turns of the head to be shown, a picture of each. */
export interface WalletRecoveryChallenge {
  challenge_id: string;
  poses: string[];
  issued_at: string;
  expires_at: string;
}

export interface WalletRecoveryCompletion {
  recovery_id: string;
  selfie_uri: string;
  challenge_id: string;
  /** One per pose, in order. */
  frame_uris: string[];
  /** What navigator.credentials.create() answered; left out when an attempt before had it. */
  passkey?: { name: string; credential: object };
}

export interface WalletRecoveryFacts {
  recovery_id: string;
  state: WalletRecoveryState;
  /** Of a face that could not be compared: why. Null: nothing to say. */
  reason: string | null;
  checks_left: number;
  expires_at: string;
  effective_at: string | null;
}

/** wallet_recovery.check_input: ids of pictures, UUIDs, and what the server asked for. Times ISO 8601, of the server's clock. */
export interface RecoveryCheckInput {
  v: 1;
  selfie: string;
  frames: { picture: string; received_at: string }[];
  poses: string[];
  issued_at: string;
  expires_at: string;
}

/** What the sealed picture of a recovery is bound to, beside the wallet. */
export const recoveryPictureRecord = (pictureId: string): string => `recovery_picture:${pictureId}`;
