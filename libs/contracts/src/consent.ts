import type { ShownTenant } from './brand/shown-tenant.ts';
import type { PersonLocale } from './capture.ts';
import type { WalletLevel } from './wallet.ts';

/**
 * The page of the person host where a person answers a tenant's request for their verification: `{person_url}/consent/{token}`. The token is
 * in the path of every route below, and nowhere else.
 */
export const CONSENT_PAGE = '/consent/:token';

/** 32 random bytes, base64url. */
export const CONSENT_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** How long a person has to answer a request at most. */
export const PRESENTATION_SECONDS = 900;

/** Wrong codes that end a link. */
export const CONSENT_WRONG_CODES = 5;

/** What a tenant may ask for, beside type and country of the document, which are always part of an answer. */
export const CONSENT_CLAIMS = ['full_name', 'birth_date', 'document_number'] as const;
export type ConsentClaim = (typeof CONSENT_CLAIMS)[number];

/**
 * What the page calls, below `/consent/{token}/`, on its own host. The same 404 not-found, byte for byte but for its request_id, for a token
 * that is unknown, expired, used or ended by wrong codes; 403 forbidden to a request from another origin; 400 bad-request to a POST without
 * the nonce of `state`, or whose cookie is not the one that came with it. `state` sets that cookie (HttpOnly, SameSite=Strict): ask for it
 * once before anything else, and again after each step. 10 requests a minute for a token, 60 for an address: 429.
 */
export const CONSENT_ROUTES = {
  /** GET → 200 ConsentState. `?locale=` PersonLocale: the language of the text; left out: the person's, or Spanish. */
  state: 'state',
  /** POST ConsentCodeRequest → 202 `{}`. The same for every address: a code is mailed only if it is that of a wallet. */
  sendCode: 'otp/send',
  /** POST ConsentCode → 200 ConsentState, step `decide`; 422 for a wrong code, 404 after five, 429 while the address is locked. */
  verifyCode: 'otp/verify',
  /** POST {nonce} → 200 what navigator.credentials.get() takes, as JSON. */
  passkeyOptions: 'passkey/options',
  /** POST {nonce, assertion: what it signed} → 200 ConsentState, step `decide`; 422 for a passkey that is not accepted. */
  passkey: 'passkey',
  /** POST ConsentApproval → 200 ConsentEnd. Repeated by the same browser: the same answer. 409 once the request has ended otherwise. */
  approve: 'approve',
  /** POST ConsentRefusal → 200 ConsentEnd. */
  decline: 'decline',
  /** POST ConsentReport → 200 ConsentEnd: refuses too, and an operator looks at who asked. */
  report: 'report',
} as const;

/** How a person proves that the wallet is theirs. */
export const CONSENT_METHODS = ['otp', 'passkey'] as const;
export type ConsentMethod = (typeof CONSENT_METHODS)[number];

/**
 * Why the person cannot approve. other_person: the request is about another document than that of their wallet; too_old: the verification is
 * older than the company accepts; missing: the verification does not have what is asked for.
 */
export type ConsentObstacle = 'other_person' | 'too_old' | 'missing';

export interface ConsentClaimView {
  name: ConsentClaim | 'document_type' | 'document_country';
  /** In the language of the state. */
  label: string;
  /** Masked; null before the step-up. */
  value_masked: string | null;
  required: boolean;
}

/** What the page shows. Nothing about the person, or whether there is one, before the step-up of this browser. */
export interface ConsentState {
  /** identify: the person has to prove that the wallet is theirs; decide: this browser has. */
  step: 'identify' | 'decide';
  locale: PersonLocale;
  tenant: ShownTenant;
  purpose: string;
  claims: ConsentClaimView[];
  expires_at: string;
  /**
   * At `identify`. address: `registered`: the code goes to the address of the wallet, which nobody is shown; `asked`: the person types the
   * address of their wallet.
   */
  challenge: { methods: ConsentMethod[]; address: 'registered' | 'asked' } | null;
  /** At `decide`: what would be given, of which verification. */
  verification: { level: WalletLevel; verified_at: string; verified_for: string } | null;
  /** At `decide`, without an obstacle: the text to be agreed to. Send version, locale and sha256 back with `approve`. */
  consent: { version: string; locale: PersonLocale; text: string; sha256: string } | null;
  obstacle: ConsentObstacle | null;
  /** Of this browser: send it with every POST. */
  nonce: string;
}

/** identifier: with `address: 'asked'` only. */
export interface ConsentCodeRequest {
  nonce: string;
  identifier?: string;
}

export interface ConsentCode {
  nonce: string;
  /** Six digits. */
  code: string;
}

/** claims: every one that is required. version, locale and sha256: of the text that was shown. */
export interface ConsentApproval {
  nonce: string;
  claims: ConsentClaimView['name'][];
  version: string;
  locale: PersonLocale;
  sha256: string;
}

/** tell_tenant: true lets the company know that the person said no, and needs the step-up: 409 before. Else it sees a request that expired. */
export interface ConsentRefusal {
  nonce: string;
  tell_tenant: boolean;
}

export interface ConsentReport {
  nonce: string;
}

/** redirect_to: where the page leads the person, as the tenant registered it; null: nowhere. Nothing is added to it. */
export interface ConsentEnd {
  redirect_to: string | null;
}
