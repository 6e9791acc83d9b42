import {
  CREDENTIAL_SECONDS,
  PRESENTATION_SECONDS,
  STATUS_LIST_SECONDS,
  WALLET_SESSION_SECONDS,
} from '@constancia/contracts';

/**
 * next: published, signs nothing yet; current: signs; retired: verifies what it has signed, and its private part is destroyed. A key goes
 * through them in this order (identity.rotate_token_keys), and is deleted after the last.
 */
export const TOKEN_KEY_STATES = ['next', 'current', 'retired'] as const;
export type TokenKeyState = (typeof TOKEN_KEY_STATES)[number];

/** The classes of tokens that have keys of their own, and how long a token of each is valid. */
export const TOKEN_KEY_SETS = {
  wallet_session: { maxTokenSeconds: WALLET_SESSION_SECONDS },
  credential: { maxTokenSeconds: CREDENTIAL_SECONDS },
  status_list: { maxTokenSeconds: STATUS_LIST_SECONDS },
  /** ID tokens, and access tokens for the API. */
  openid: { maxTokenSeconds: 600 },
  /** Requests to wallet apps for a presentation. Who signs them is known by a certificate. */
  presentation_request: { maxTokenSeconds: PRESENTATION_SECONDS, certified: true },
} as const satisfies Record<string, { maxTokenSeconds: number; certified?: true }>;
export type TokenKeySet = keyof typeof TOKEN_KEY_SETS;

const DAY_SECONDS = 86_400;

export interface TokenKeyPeriods {
  /** How long a key is the current one. */
  useSeconds: number;
  /** How long it is published before that. */
  publishSeconds: number;
  /** How long it is kept after that. */
  keepSeconds: number;
}

export function periodsOf(keySet: TokenKeySet): TokenKeyPeriods {
  return {
    useSeconds: 90 * DAY_SECONDS,
    publishSeconds: DAY_SECONDS,
    keepSeconds: TOKEN_KEY_SETS[keySet].maxTokenSeconds + DAY_SECONDS,
  };
}
