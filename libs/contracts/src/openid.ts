import type { ShownTenant } from './brand/shown-tenant.ts';
import type { PersonLocale } from './capture.ts';
import type { ConsentMethod } from './consent.ts';
import type { KeepText } from './wallet.ts';

/**
 * The page of the person host where a person signs in to an application of a tenant (OpenID Connect): `{person_url}/openid/{token}`. The
 * token names what the application asks for. By itself it lets nobody in: where an answer leads back to, only the browser gets on that the
 * request was begun in.
 */
export const OPENID_PAGE = '/openid/:token';

/**
 * What the page calls, below `/openid/{token}/`, on its own host. The same 404 not-found for a token that is unknown, expired or used; 403
 * forbidden to a request from another origin; 400 bad-request to a POST without the nonce of `state`, or whose cookie is not the one that
 * came with it. `state` sets that cookie (HttpOnly, SameSite=Strict). 60 requests a minute for an address: 429.
 */
export const OPENID_ROUTES = {
  /** GET → 200 OpenIdState. `?locale=` PersonLocale: the language of the text; left out: Spanish. */
  state: 'state',
  /** POST {nonce, identifier} → 202 {challenge_id}. The same for every address: a code is mailed only if it is that of a wallet. */
  sendCode: 'otp/send',
  /** POST {nonce, challenge_id, code} → 200 OpenIdEnd; 422 for a wrong code, 429 after five. */
  verifyCode: 'otp/verify',
  /** POST {nonce} → 200 what navigator.credentials.get() takes, as JSON. */
  passkeyOptions: 'passkey/options',
  /** POST {nonce, assertion: what it signed} → 200 OpenIdEnd; 422 for a passkey that is not accepted. */
  passkey: 'passkey',
  /** POST {nonce} and, where the state has a text, its version, locale and sha256 → 200 OpenIdEnd. */
  agree: 'agree',
  /** POST {nonce} → 200 OpenIdEnd. */
  refuse: 'refuse',
} as const;

/**
 * What an application can be given, as the page and receipts name it. verification: that the rest was verified, when and how; offline_access: the rest
 * also while the person is absent; api: reading what the tenant has about them.
 */
export const OPENID_CLAIMS = [
  'full_name',
  'birth_date',
  'document_type',
  'document_country',
  'document_number',
  'email',
  'verification',
  'offline_access',
  'api',
] as const;
export type OpenIdClaim = (typeof OPENID_CLAIMS)[number];

/** What the page shows: nothing about the person. */
export interface OpenIdState {
  /** sign_in: the person proves that the wallet is theirs; agree: this browser has. */
  step: 'sign_in' | 'agree';
  locale: PersonLocale;
  tenant: ShownTenant;
  client: { name: string };
  claims: { name: OpenIdClaim; label: string }[];
  /** At `sign_in`. */
  methods: ConsentMethod[];
  /** At `agree`, when something is given: what is agreed to. */
  text: KeepText | null;
  /** The host that the person comes back to. */
  returns_to: string;
  expires_at: string;
  /** Of this browser: send it with every POST. */
  nonce: string;
}

/** redirect_to: where the browser goes on. */
export interface OpenIdEnd {
  redirect_to: string;
}
