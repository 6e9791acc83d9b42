import { randomBytes } from 'node:crypto';
import {
  CONSENT_ROUTES,
  CONSENT_TOKEN,
  CONSENT_WRONG_CODES,
  type ConsentClaimView,
  type ConsentMethod,
  type ConsentObstacle,
  type ConsentState,
} from '@constancia/contracts/consent';
import { PASSKEY_REQUEST } from './wallets.ts';

/** The code that the stand-in server takes. */
export const CONSENT_CODE = '135790';

export interface ConsentSetup {
  methods?: ConsentMethod[];
  address?: 'registered' | 'asked';
  obstacle?: ConsentObstacle | null;
  redirectTo?: string | null;
  seconds?: number;
}

/** A request, as the stand-in server keeps it. Invented people. */
export interface ConsentFixture extends Required<ConsentSetup> {
  token: string;
  /** down: no answer. */
  mode: 'well' | 'down';
  expiresAt: number;
  /** The cookie of the browser that has proved whose the wallet is. */
  provedBy: string | null;
  wrongCodes: number;
  /** How it ended, and with what body. */
  ended: { how: string; body: Record<string, unknown> } | null;
}

export interface ConsentCall {
  method: string;
  pathname: string;
  locale: string | null;
  body: string;
  cookie: string | undefined;
  site: string | undefined;
}

interface Answer {
  status: number;
  document?: unknown;
  headers?: Record<string, string>;
}

const refused = (status: number): Answer => ({ status, document: { status } });
const COOKIE = /(?:^|; )constancia_consent=([A-Za-z0-9_-]{43})/;
const TENANT = 'Banco del Páramo';

/** The requests of the stand-in server, by token. */
export class Consents {
  private readonly all = new Map<string, ConsentFixture>();

  add(setup: ConsentSetup = {}): ConsentFixture {
    const given = {
      methods: ['otp'] as ConsentMethod[],
      address: 'asked' as const,
      obstacle: null,
      redirectTo: null,
      seconds: 900,
    };
    const consent: ConsentFixture = {
      ...{ token: randomBytes(32).toString('base64url'), mode: 'well', provedBy: null, wrongCodes: 0, ended: null },
      ...{ expiresAt: 0, ...given, ...setup },
    };
    consent.expiresAt = Date.now() + consent.seconds * 1_000;
    this.all.set(consent.token, consent);
    return consent;
  }

  /** Null: no answer. */
  answer(call: ConsentCall): Answer | null {
    const [, token = '', route = ''] = /^\/consent\/([^/]+)\/(.+)$/.exec(call.pathname) ?? [];
    if (call.site !== 'same-origin') return refused(403);
    const consent = CONSENT_TOKEN.test(token) ? this.all.get(token) : undefined;
    if (consent === undefined || consent.ended !== null || Date.now() >= consent.expiresAt) return refused(404);
    return consent.mode === 'down' ? null : answerLink(consent, route, call);
  }
}

function answerLink(consent: ConsentFixture, route: string, { cookie = '', locale, body }: ConsentCall): Answer {
  const browser = COOKIE.exec(cookie)?.[1] ?? null;
  if (route === CONSENT_ROUTES.state) {
    const own = browser ?? randomBytes(32).toString('base64url');
    const attributes = `constancia_consent=${own}; Path=/consent/${consent.token}; Max-Age=900; HttpOnly; SameSite=Strict`;
    const document = stateOf(consent, own, locale === 'en' ? 'en' : 'es-CO');
    return { status: 200, document, ...(browser === null && { headers: { 'Set-Cookie': attributes } }) };
  }
  const given = JSON.parse(body) as Record<string, unknown>;
  if (browser === null || given.nonce !== nonceOf(browser)) return refused(400);
  return step(consent, route, given, browser);
}

const nonceOf = (browser: string): string => [...browser].reverse().join('');

function step(consent: ConsentFixture, route: string, given: Record<string, unknown>, browser: string): Answer {
  const proved = consent.provedBy === browser;
  const prove = (): Answer => {
    consent.provedBy = browser;
    return { status: 200, document: stateOf(consent, browser, 'es-CO') };
  };
  const end = (how: string): Answer => {
    consent.ended = { how, body: given };
    return { status: 200, document: { redirect_to: consent.redirectTo } };
  };
  switch (route) {
    case CONSENT_ROUTES.sendCode:
      return { status: 202, document: {} };
    case CONSENT_ROUTES.verifyCode:
      if (given.code === CONSENT_CODE) return prove();
      consent.wrongCodes += 1;
      if (consent.wrongCodes < CONSENT_WRONG_CODES) return refused(422);
      consent.ended = { how: 'burnt', body: {} };
      return refused(404);
    case CONSENT_ROUTES.passkeyOptions:
      return { status: 200, document: PASSKEY_REQUEST };
    case CONSENT_ROUTES.passkey:
      return prove();
    case CONSENT_ROUTES.approve:
      return proved ? end('approved') : refused(409);
    case CONSENT_ROUTES.decline:
      return proved || given.tell_tenant === false ? end('declined') : refused(409);
    case CONSENT_ROUTES.report:
      return end('reported');
    default:
      return refused(404);
  }
}

const CLAIMS: readonly (readonly [name: ConsentClaimView['name'], spanish: string, english: string, masked: string])[] =
  [
    ['document_type', 'tipo de documento', 'type of document', 'CC'],
    ['document_country', 'país del documento', 'country of the document', 'CO'],
    ['full_name', 'nombre completo', 'full name', 'M•••• F•••••••• R••••• d• l•• R•••'],
    ['document_number', 'número de documento', 'document number', '••••••6153'],
    ['birth_date', 'fecha de nacimiento', 'date of birth', '1988-••-••'],
  ];

function stateOf(consent: ConsentFixture, browser: string, locale: ConsentState['locale']): ConsentState {
  const proved = consent.provedBy === browser;
  const spanish = locale === 'es-CO';
  const { methods, address, obstacle } = consent;
  const text = spanish
    ? `Autorizo a Constancia a entregar a ${TENANT} los datos que se muestran arriba.`
    : `I authorise Constancia to give ${TENANT} the data that is shown above.`;
  return {
    step: proved ? 'decide' : 'identify',
    locale,
    tenant: { display_name: TENANT, color: null, logo: null },
    purpose: 'Abrir una cuenta de ahorros',
    claims: CLAIMS.map(([name, es, en, masked]) => ({
      name,
      label: spanish ? es : en,
      value_masked: proved ? masked : null,
      required: name !== 'birth_date',
    })),
    expires_at: new Date(consent.expiresAt).toISOString(),
    challenge: proved ? null : { methods, address },
    verification: proved
      ? { level: 'document_face', verified_at: '2026-11-20T15:00:00.000Z', verified_for: 'Cooperativa La Ceiba' }
      : null,
    consent: proved && obstacle === null ? { version: '2026-11-26', locale, text, sha256: 'a'.repeat(64) } : null,
    obstacle: proved ? obstacle : null,
    nonce: nonceOf(browser),
  };
}
