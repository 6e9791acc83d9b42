import type { AuthMethod } from '../src/api/sign-state.ts';
import {
  channelOf,
  dueOf,
  type EnvelopeFixture,
  isOtpMethod,
  newProof,
  OTP_LIFE_MS,
  RESEND_AFTER_MS,
  stateOf,
} from './envelope.ts';

interface Answer {
  status: number;
  document: unknown;
  headers?: Record<string, string>;
}
const LOCKED_MS = 900_000;

type Body = Record<string, unknown>;
type Action = (envelope: EnvelopeFixture, body: Body) => Answer;

const state = (envelope: EnvelopeFixture): Answer => ({ status: 200, document: stateOf(envelope, null) });
const problem = (status: number, members: Body = {}): Answer => ({ status, document: { status, ...members } });

const ACTIONS: Record<string, Action> = {
  draft: (envelope, { fields }) => {
    if (!isProven(envelope)) return problem(409);
    envelope.draft = fields as EnvelopeFixture['draft'];
    return { status: 204, document: undefined };
  },
  'not-me': (envelope) => {
    envelope.mode = 'gone';
    return { status: 204, document: undefined };
  },
  consent: (envelope, { version }) => {
    if (!['pending', 'viewed'].includes(envelope.signerStatus)) return problem(409);
    if (version !== envelope.consentVersion) return problem(409);
    envelope.signerStatus = isProven(envelope) ? 'authenticated' : 'consented';
    return state(envelope);
  },
  'otp/send': (envelope, { locale, method }) => {
    if (!isOtpMethod(method))
      return problem(400, { errors: [{ pointer: '/method', code: 'not_allowed', detail: '' }] });
    envelope.mailLocale = String(locale);
    if (envelope.sendsLeft === 0) return { ...problem(429), headers: { 'Retry-After': '1800' } };
    envelope.sendsLeft -= 1;
    const now = Date.now();
    envelope.otpSentAt = now;
    envelope.otpSentBy = method;
    envelope.triesLeft = 5;
    return {
      status: 202,
      document: {
        ...channelOf(method),
        expires_at: new Date(now + OTP_LIFE_MS).toISOString(),
        resend_after: new Date(now + RESEND_AFTER_MS).toISOString(),
      },
    };
  },
  'otp/verify': (envelope, { code }) => authenticate(envelope, envelope.otpSentBy, code === envelope.otp),
  'access-code': (envelope, { code }) =>
    String(code).length < 4
      ? problem(400, { errors: [{ pointer: '/code', code: 'too_short', detail: '' }] })
      : authenticate(envelope, 'access_code', code === envelope.accessCode),
  identity: (envelope, body) => {
    if (!/^\d{6,10}$/.test(String(body.document_number))) {
      return problem(400, { errors: [{ pointer: '/document_number', code: 'wrong_format', detail: '' }] });
    }
    envelope.documents.push(body);
    envelope.identity = { status: 'requested', capture_url: null };
    return { status: 202, document: { ...envelope.identity, claim: null } };
  },
  'identity/complete': (envelope) =>
    envelope.identity?.status === 'verified' ? authenticate(envelope, 'identity', true) : problem(409),
  sign: (envelope, body) => {
    if (envelope.signerStatus !== 'authenticated' || !isProven(envelope)) return problem(409);
    const values = (body.fields ?? {}) as Body;
    const long = Object.keys(values).filter((key) => String(values[key]).length > 60);
    if (long.length > 0)
      return problem(400, { errors: long.map((key) => ({ pointer: `/fields/${key}`, code: 'too_long', detail: '' })) });
    envelope.signed = body;
    envelope.signerStatus = 'signed';
    envelope.envelopeStatus = envelope.afterSigning;
    envelope.signedAt = new Date().toISOString();
    return state(envelope);
  },
  decline: (envelope, { reason }) => {
    if (!isProven(envelope) && (dueOf(envelope) !== 'identity' || envelope.auth[0] === 'identity')) return problem(409);
    envelope.declineReason = String(reason);
    envelope.signerStatus = 'declined';
    envelope.envelopeStatus = 'declined';
    return state(envelope);
  },
};

const isProven = (envelope: EnvelopeFixture): boolean => dueOf(envelope) === undefined;

function authenticate(envelope: EnvelopeFixture, method: AuthMethod, right: boolean): Answer {
  if (envelope.triesLeft > 0 && !right) envelope.triesLeft -= 1;
  if (envelope.triesLeft === 0 && method === 'access_code')
    envelope.lockedUntil ??= new Date(Date.now() + LOCKED_MS).toISOString();
  if (!right || envelope.triesLeft === 0) {
    const locked = envelope.lockedUntil === null ? {} : { locked_until: envelope.lockedUntil };
    return problem(422, { attempts_left: envelope.triesLeft, ...locked });
  }
  envelope.authDone = [...envelope.authDone, method];
  envelope.proof = newProof();
  if (isProven(envelope) && envelope.signerStatus === 'consented') envelope.signerStatus = 'authenticated';
  return state(envelope);
}

export function answerAction(envelope: EnvelopeFixture, action: string, body: Body): Answer {
  return ACTIONS[action]?.(envelope, body) ?? problem(404);
}
