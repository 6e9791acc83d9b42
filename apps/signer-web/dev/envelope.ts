import { createHash, randomBytes } from 'node:crypto';
import { CONTRACT_PLACEHOLDERS, demoContract } from '@constancia/dev-servers/demo-contract';
import type { AuthMethod, IdentityCheck, Locale, SignField, SignState } from '../src/api/sign-state.ts';

export interface EnvelopeSetup {
  auth?: AuthMethod[];
  authDone?: AuthMethod[];
  envelopeStatus?: SignState['envelope']['status'];
  signerStatus?: SignState['signer']['status'];
  locale?: Locale;
  fields?: SignField[];
  pdf?: Buffer;
  pauseMs?: number;
  message?: string | null;
  /** What becomes of the envelope when this signer signs. */
  afterSigning?: SignState['envelope']['status'];
  /** The document is shown after authentication only. */
  needsAuthentication?: boolean;
}

/** An envelope of one signer, as the stand-in server keeps it. Invented people. */
export interface EnvelopeFixture extends Required<EnvelopeSetup> {
  /** Of the browser in which the signer authenticated: the cookie's value, as long as there is one. */
  proof: string | null;
  mode: 'well' | 'down' | 'crowded' | 'gone';
  draft: SignState['draft'];
  /** Language that the last code was asked for in. */
  mailLocale: string | null;
  /** Seconds, while crowded. */
  retryAfter: number;
  otp: string;
  otpSentAt: number | null;
  otpSentBy: 'otp_email' | 'otp_sms' | 'otp_whatsapp';
  accessCode: string;
  triesLeft: number;
  /** Codes that may still be sent. */
  sendsLeft: number;
  lockedUntil: string | null;
  consentVersion: string;
  signedAt: string | null;
  /** The body of the last signature. */
  signed: Record<string, unknown> | null;
  declineReason: string | null;
  /** The check of the signer's identity, once it was started. */
  identity: IdentityCheck | null;
  /** The documents that it was started with. */
  documents: Record<string, unknown>[];
}

const place = (key: string, type: SignField['type'], more: Partial<SignField>): SignField => ({
  key,
  type,
  page: 1,
  x: 150,
  y: 280,
  width: 180,
  height: 18,
  required: true,
  label: null,
  visible_if: null,
  prefilled: null,
  locked: false,
  value: null,
  ...more,
});
const at = (key: string): { x: number; y: number } => {
  const { x = 0, y = 0 } = CONTRACT_PLACEHOLDERS.find((placeholder) => placeholder.key === key) ?? {};
  return { x, y: y - 4 };
};

/** Of the demo contract. */
export const CONTRACT_FIELDS: SignField[] = [
  place('nombre', 'name', at('nombre')),
  place('documento', 'text', { ...at('documento'), label: 'Documento de identidad' }),
  place('ciudad', 'text', { ...at('ciudad'), label: 'Ciudad', required: false }),
  place('fecha', 'date', { ...at('fecha'), width: 90 }),
  place('datos', 'checkbox', { x: 72, y: 250, width: 14, height: 14, label: 'Autorizo el tratamiento de mis datos' }),
  place('iniciales', 'initials', { x: 480, y: 60, width: 60, height: 32 }),
  place('firma', 'signature', { x: 72, y: 130, height: 48 }),
];

/** 43 characters of base64url, as the sign host gives them. */
export const newProof = (): string => randomBytes(32).toString('base64url');

export function envelopeFixture(setup: EnvelopeSetup = {}): EnvelopeFixture {
  const proven = ['authenticated', 'signed'].includes(setup.signerStatus ?? '');
  return {
    auth: ['otp_email'],
    authDone: proven ? (setup.auth ?? ['otp_email']) : [],
    proof: proven ? newProof() : null,
    envelopeStatus: 'in_progress',
    signerStatus: 'viewed',
    locale: 'es-CO',
    fields: CONTRACT_FIELDS,
    pdf: demoContract(),
    pauseMs: 0,
    message: 'Hola, María Fernanda: este es el contrato que conversamos. Cualquier duda, me cuenta.',
    afterSigning: 'in_progress',
    needsAuthentication: false,
    mode: 'well',
    draft: null,
    mailLocale: null,
    retryAfter: 30,
    otp: '482913',
    otpSentAt: null,
    otpSentBy: 'otp_email',
    accessCode: 'Frailejon-7',
    triesLeft: 5,
    sendsLeft: 5,
    lockedUntil: null,
    consentVersion: '2026-11',
    signedAt: null,
    signed: null,
    declineReason: null,
    identity: null,
    documents: [],
    ...setup,
  };
}

const CONSENT: Record<Locale, string> = {
  'es-CO': [
    'Usted acepta recibir y firmar este documento por medios electrónicos en lugar de hacerlo en papel.',
    'Su firma electrónica se apoya en la Ley 527 de 1999 y el Decreto 2364 de 2012. Para que sea confiable registramos la fecha y hora, su dirección IP, el navegador, la forma en que confirmó su identidad y la huella digital del documento.',
    'Puede negarse a firmar, pedir el documento en papel a quien lo envió y retirar esta autorización antes de firmar. Necesita un navegador actualizado y un correo electrónico; recibirá una copia que puede descargar y guardar.',
  ].join('\n\n'),
  en: [
    'You agree to receive and sign this document by electronic means instead of on paper.',
    'Your electronic signature rests on Colombian Law 527 of 1999 and Decree 2364 of 2012. To make it reliable we record the date and time, your IP address, your browser, how you confirmed your identity and the digital fingerprint of the document.',
    'You can refuse to sign, ask the sender for the document on paper, and withdraw this consent before you sign. You need an up-to-date browser and an email address; you will receive a copy that you can download and keep.',
  ].join('\n\n'),
};

const NEXT_OF_AUTH = {
  otp_email: 'otp',
  otp_sms: 'otp',
  otp_whatsapp: 'otp',
  access_code: 'access_code',
  identity: 'identity',
} as const;

const isByPhone = (method: AuthMethod): boolean => method === 'otp_sms' || method === 'otp_whatsapp';

export const dueOf = ({ auth, authDone }: Pick<EnvelopeFixture, 'auth' | 'authDone'>): AuthMethod | undefined =>
  auth.find((each) => !authDone.includes(each) && !(isByPhone(each) && authDone.some(isByPhone)));

function nextOf({ signerStatus, auth, authDone }: EnvelopeFixture): SignState['next'] {
  if (signerStatus === 'waiting') return 'wait';
  if (signerStatus === 'pending' || signerStatus === 'viewed') return 'consent';
  const method = dueOf({ auth, authDone });
  if (signerStatus !== 'consented' && signerStatus !== 'authenticated') return 'done';
  return method === undefined ? 'sign' : NEXT_OF_AUTH[method];
}

export const RESEND_AFTER_MS = 60_000;
export const OTP_LIFE_MS = 600_000;
const later = (moment: number, ms: number): string => new Date(moment + ms).toISOString();

const MASKED = {
  otp_email: 'm•••••@correo.example',
  otp_sms: '+57 ••• ••• 1234',
  otp_whatsapp: '+57 ••• ••• 1234',
} as const;
type OtpMethod = keyof typeof MASKED;

export const isOtpMethod = (method: unknown): method is OtpMethod => Object.hasOwn(MASKED, String(method));

/** Where a code goes. */
export const channelOf = (method: OtpMethod) => ({ method, destination_masked: MASKED[method] });

/** A code to the phone can be sent by each phone method of the role. */
const channelsOf = ({ auth }: EnvelopeFixture, due: OtpMethod) =>
  (due === 'otp_email' ? [due] : auth.filter(isOtpMethod).filter((method) => method !== 'otp_email')).map(channelOf);

const otpStanding = (envelope: EnvelopeFixture, due: OtpMethod) => {
  const { otpSentAt, otpSentBy, triesLeft } = envelope;
  return {
    channels: channelsOf(envelope, due),
    sent_by: otpSentAt === null ? null : otpSentBy,
    sent: otpSentAt !== null,
    expires_at: otpSentAt === null ? null : later(otpSentAt, OTP_LIFE_MS),
    resend_after: otpSentAt === null ? later(Date.now(), 0) : later(otpSentAt, RESEND_AFTER_MS),
    attempts_left: triesLeft,
  };
};

export function stateOf(envelope: EnvelopeFixture, wantedLocale: string | null): SignState {
  const locale: Locale = wantedLocale === 'en' || wantedLocale === 'es-CO' ? wantedLocale : envelope.locale;
  const text = CONSENT[locale];
  const next = nextOf(envelope);
  const due = dueOf(envelope);
  return {
    envelope: {
      id: '0193a5a0-0000-7000-8000-000000000001',
      public_id: '4kT9sXw2LmQ8ZrB1yHc7Vd',
      subject: 'Contrato de prestación de servicios',
      message: envelope.message,
      tenant: { display_name: 'Inmobiliaria Los Cerros S.A.S.', color: null, logo: null },
      status: envelope.envelopeStatus,
      locale: envelope.locale,
      expires_at: '2026-12-21T19:05:00.000Z',
    },
    signer: {
      role: 'contratista',
      name: 'María Fernanda Ñáñez Güiza',
      email_masked: 'm•••••@correo.example',
      status: envelope.signerStatus,
      signed_at: envelope.signedAt,
    },
    fields: envelope.fields,
    document: {
      page_count: 1,
      base_sha256: '0'.repeat(64),
      shown_sha256: null,
      needs_authentication: envelope.needsAuthentication && due !== undefined,
      copy_available:
        envelope.signerStatus === 'signed' && ['in_progress', 'sealing'].includes(envelope.envelopeStatus),
    },
    auth: {
      required: envelope.auth,
      completed: envelope.authDone,
      otp: isOtpMethod(due) ? otpStanding(envelope, due) : null,
      access_code:
        due === 'access_code' ? { attempts_left: envelope.triesLeft, locked_until: envelope.lockedUntil } : null,
      identity: due === 'identity',
    },
    consent: {
      version: envelope.consentVersion,
      locale,
      text,
      sha256: createHash('sha256').update(text).digest('hex'),
    },
    next,
    draft: due === undefined ? envelope.draft : null,
  };
}
