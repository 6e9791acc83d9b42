import { randomBytes } from 'node:crypto';
import {
  WALLET_PASSKEY_ROUTES,
  WALLET_ROUTES,
  type WalletCredentialFacts,
  type WalletErasure,
  type WalletExport,
  type WalletPasskeyFacts,
  type WalletExportedReceipt,
  type WalletVerificationFacts,
} from '@constancia/contracts/wallet';

/** A credential that is on a device. */
export const CREDENTIAL: WalletCredentialFacts = {
  id: 'wcr_01m7z6fvqcergtyhm27t5fxcy6',
  verification_id: 'wvr_01m7z6fvqcergtyhm27t5fxcy2',
  status: 'valid',
  copies: 10,
  issued_at: '2026-11-26T13:30:00.000Z',
  expires_at: '2027-02-24T00:00:00.000Z',
  ended_at: null,
};

const OFFER_URI = 'https://constancia.example/v1/wallet/issuance/offers/wof_5Qm3nV8kXc2Rt7Yb1Lw9Zs4Hd6Jf0Ga';
/** What a wallet app scans. */
export const OFFER = {
  credential_offer_uri: OFFER_URI,
  offer_link: `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(OFFER_URI)}`,
};

/** The code that the stand-in server takes. */
export const WALLET_CODE = '123456';

export interface WalletSetup {
  email?: string;
  sessionSeconds?: number;
  /** Five wrong codes were given. */
  locked?: boolean;
  /** Somebody is recovering it. */
  recovering?: boolean;
  credentials?: WalletCredentialFacts[];
  /** What a wallet app got with the offer, which the page is told when it asks. */
  issued?: WalletCredentialFacts[];
}

/** A wallet, as the stand-in server keeps it. Invented people. */
export interface WalletFixture extends Required<WalletSetup> {
  /** down: no answer. lost: what is asked is done, and not answered. */
  mode: 'well' | 'down' | 'lost';
  /** Of its next session. */
  token: string;
  signedIn: boolean;
  discoverable: boolean;
  /** When the person withdrew what they gave. */
  revokedAt: string | null;
  erased: boolean;
  /** By the id of the credential. What browsers sign is not looked at. */
  passkeys: Map<string, WalletPasskeyFacts>;
}

export interface WalletCall {
  method: string;
  pathname: string;
  body: string;
  token: string;
}

export interface Answer {
  status: number;
  document?: unknown;
  headers?: Record<string, string>;
}

const UNAUTHORIZED: Answer = { status: 401, document: { status: 401 } };

/** The wallets of the stand-in server, by address. */
export class Wallets {
  private readonly all: WalletFixture[] = [];

  add(setup: WalletSetup = {}): WalletFixture {
    const wallet: WalletFixture = {
      email: `${randomBytes(6).toString('hex')}@correo.example`,
      sessionSeconds: 600,
      locked: false,
      recovering: false,
      mode: 'well',
      token: randomBytes(24).toString('base64url'),
      signedIn: false,
      discoverable: false,
      revokedAt: null,
      erased: false,
      passkeys: new Map(),
      credentials: [],
      issued: [],
      ...setup,
    };
    this.all.push(wallet);
    return wallet;
  }

  /** Null: no answer comes. */
  answer({ method, pathname, body, token }: WalletCall): Answer | null {
    const given = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
    if (pathname === WALLET_ROUTES.start) return started(String(given.identifier));
    if (pathname === WALLET_ROUTES.verify) return this.verify(String(given.challenge_id), String(given.code));
    if (pathname === WALLET_PASSKEY_ROUTES.challenge) return { status: 200, document: PASSKEY_REQUEST };
    if (pathname === WALLET_PASSKEY_ROUTES.signIn) {
      const holder = this.all.find(({ passkeys }) => passkeys.has(String(given.id)));
      return holder === undefined ? UNAUTHORIZED : signedIn(holder);
    }
    const wallet = this.all.find((one) => one.signedIn && one.token === token);
    if (wallet === undefined) return UNAUTHORIZED;
    if (wallet.mode === 'down') return null;
    const answer = answerSignedIn(wallet, `${method} ${pathname}`, given);
    return wallet.mode === 'lost' ? null : answer;
  }

  private verify(challenge: string, code: string): Answer {
    const wallet = this.all.find(({ email }) => email === Buffer.from(challenge, 'base64url').toString());
    if (wallet?.locked) return { status: 429, document: { status: 429 }, headers: { 'Retry-After': '900' } };
    if (wallet === undefined || wallet.erased || code !== WALLET_CODE) return UNAUTHORIZED;
    return signedIn(wallet);
  }
}

function signedIn(wallet: WalletFixture): Answer {
  wallet.signedIn = true;
  const expires_at = new Date(Date.now() + wallet.sessionSeconds * 1_000).toISOString();
  return { status: 200, document: { wallet_session_jwt: wallet.token, expires_at } };
}

/** Browsers have passkeys for host names only. */
const RP_ID = 'localhost';
const CHALLENGE = { challenge: randomBytes(32).toString('base64url'), userVerification: 'required' };
/** What a browser is asked to sign, with any passkey of the host. */
export const PASSKEY_REQUEST = { ...CHALLENGE, rpId: RP_ID };
/** What a browser makes a passkey with. */
export const CREATION = {
  challenge: CHALLENGE.challenge,
  rp: { id: RP_ID, name: 'Constancia' },
  user: { id: 'AAAAAAAAAAAAAAAAAAAAAA', name: 'ana@correo.example', displayName: 'ana@correo.example' },
  pubKeyCredParams: [-7, -257].map((alg) => ({ type: 'public-key', alg })),
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
};

function answerPasskeys(
  { passkeys, credentials }: WalletFixture,
  call: string,
  given: Record<string, unknown>,
): Answer {
  const { passkeys: route, registration } = WALLET_PASSKEY_ROUTES;
  if (call === `GET ${route}`) return { status: 200, document: { data: [...passkeys.values()] } };
  if (call === `POST ${registration}`) return { status: 200, document: CREATION };
  if (call === `POST ${route}`) {
    const { id } = given.credential as { id: string };
    const facts = { backed_up: false, created_at: '2026-11-26T13:30:00.000Z', last_used_at: null };
    passkeys.set(id, { id: `psk_${passkeys.size}`, name: String(given.name), ...facts });
    return { status: 201, document: {} };
  }
  const revoked = credentials.find(({ id }) => call === `DELETE ${WALLET_ROUTES.credentials}/${id}`);
  if (revoked !== undefined) {
    revoked.status = 'revoked';
    return { status: 204 };
  }
  const removed = [...passkeys].find(([, { id }]) => call === `DELETE ${route}/${id}`);
  if (removed === undefined) return { status: 404, document: { status: 404 } };
  passkeys.delete(removed[0]);
  return { status: 204 };
}

function started(identifier: string): Answer {
  const challenge_id = Buffer.from(identifier).toString('base64url');
  return { status: 202, document: { challenge_id, expires_at: new Date(Date.now() + 600_000).toISOString() } };
}

function answerSignedIn(wallet: WalletFixture, call: string, given: Record<string, unknown>): Answer {
  switch (call) {
    case `GET ${WALLET_ROUTES.export}`:
      return { status: 200, document: exportOf(wallet) };
    case `PUT ${WALLET_ROUTES.discoverable}`:
      wallet.discoverable = given.enabled === true;
      return { status: 200, document: { enabled: wallet.discoverable } };
    case `POST ${WALLET_ROUTES.revokeConsent.replace('{id}', SHARED.id)}`:
      wallet.revokedAt = '2026-11-26T13:45:00.000Z';
      return { status: 200, document: { ...SHARED, revoked_at: wallet.revokedAt } };
    case `POST ${WALLET_ROUTES.offers}`:
      return { status: 201, document: { ...OFFER, expires_at: new Date(Date.now() + 600_000).toISOString() } };
    case `GET ${WALLET_ROUTES.credentials}`:
      wallet.credentials = [...wallet.issued.splice(0), ...wallet.credentials];
      return { status: 200, document: { data: wallet.credentials, next_cursor: null } };
    case `DELETE ${WALLET_ROUTES.recovery}`:
      wallet.recovering = false;
      return { status: 204 };
    case `DELETE ${WALLET_ROUTES.wallet}`:
      Object.assign(wallet, { erased: true, signedIn: false });
      return { status: 200, document: RECEIPT };
    case `DELETE ${WALLET_ROUTES.session}`:
      wallet.signedIn = false;
      return { status: 204 };
    default:
      return answerPasskeys(wallet, call, given);
  }
}

const VERIFICATION: WalletVerificationFacts = {
  id: 'wvr_01m7z6fvqcergtyhm27t5fxcy2',
  level: 'document_face',
  verified_at: '2026-11-26T13:04:00.000Z',
  added_at: '2026-11-26T13:09:00.000Z',
  verified_for: 'Banco del Páramo',
  document_type: 'CC',
  document_country: 'CO',
  document_number: '1094726153',
  full_name: 'XIOMARA ZORAIDA QUIÑONES OQUENDO',
  birth_date: '1988-03-14',
};

const CONSENT: WalletExportedReceipt = {
  id: 'wco_01m7z6fvqcergtyhm27t5fxcy3',
  kind: 'keep',
  revoked_at: null,
  shared: null,
  given_at: '2026-11-26T13:08:00.000Z',
  verified_for: 'Banco del Páramo',
  text_version: '1',
  locale: 'es-CO',
  text_sha256: 'ab'.repeat(32),
  ip: '190.26.0.1',
  user_agent: 'Mozilla/5.0',
  frame_origin: null,
  text: 'Autorizo a guardar en una billetera mía mi nombre, mi fecha de nacimiento y mi documento.',
};

const SHARED: WalletExportedReceipt = {
  ...CONSENT,
  id: 'wco_01m7z6fvqcergtyhm27t5fxcy5',
  kind: 'share',
  given_at: '2026-11-26T13:20:00.000Z',
  shared: { with: 'Fondo La Ceiba', purpose: 'Abrir una cuenta de ahorros', claims: ['document_type', 'full_name'] },
  text: 'Autorizo a Constancia a entregar a Fondo La Ceiba mi nombre completo.',
};

const RECEIPT: WalletErasure = {
  receipt_id: 'rcp_01m7z6fvqcergtyhm27t5fxcy4',
  wallet_id: 'wlt_01m7z6fvqcergtyhm27t5fxcy1',
  erased_at: '2026-11-26T14:00:00.000Z',
  erased: ['contact', 'verifications', 'sessions', 'consent_origins'],
  kept: ['consent_records'],
  legal_basis: 'Ley 1581 of 2012, article 9.',
  not_covered: 'Companies that verified you keep their own records.',
};

/** What the stand-in server exports of a wallet. */
export function exportOf({
  email,
  discoverable,
  revokedAt,
  passkeys,
  credentials,
  recovering,
}: WalletFixture): WalletExport {
  const older: WalletVerificationFacts = {
    ...VERIFICATION,
    id: 'wvr_01m7z6fvqcergtyhm27t5fxcy0',
    level: 'document',
    verified_for: 'Cooperativa de Ahorro y Crédito de los Trabajadores del Altiplano Cundiboyacense',
    full_name: null,
    birth_date: null,
  };
  return {
    wallet_id: RECEIPT.wallet_id,
    contacts: ['x***@c***.example'],
    level: VERIFICATION.level,
    verified_at: VERIFICATION.verified_at,
    discoverable,
    recovery_effective_at: recovering ? '2026-11-27T14:00:00.000Z' : null,
    created_at: '2026-11-20T09:00:00.000Z',
    email,
    verifications: [VERIFICATION, older],
    consents: [{ ...SHARED, revoked_at: revokedAt }, CONSENT],
    passkeys: [...passkeys.values()],
    credentials,
    face_kept_at: '2026-11-20T09:00:00.000Z',
    exported_at: '2026-11-26T14:00:00.000Z',
  };
}
