import type { PersonLocale } from './capture.ts';

/** How long a wallet session is valid, from its sign-in. */
export const WALLET_SESSION_SECONDS = 600;

/** NOTIFY channel of the identity schema: payload is the id of a wallet whose data key was destroyed. */
export const WALLET_ERASED = 'wallet_erased';

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
