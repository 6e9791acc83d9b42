import type { CaptureKind } from '@constancia/contracts/capture';
import { answerKeep } from './keep-answers.ts';
import { type CaptureFixture, newToken, stateOf } from './capture-session.ts';

export interface CaptureCall {
  route: string;
  kind: string;
  body: Buffer;
  token: string;
  url: string;
}
interface Answer {
  status: number;
  document: unknown;
}

const RESULTS = { completed: 'verified', failed: 'not_verified', manual_review: 'in_review' } as const;
const FOLLOWING = { consent: 'document_upload', document_upload: 'face_match', face_match: 'sarlaft' } as const;

export function answerCapture(
  sessions: Map<string, CaptureFixture>,
  session: CaptureFixture,
  call: CaptureCall,
): Answer {
  const { route, token } = call;
  if (route === 'state') {
    const document = stateOf(session, token);
    if (session.processing > 0 && --session.processing === 0) settle(session);
    return { status: 200, document };
  }
  if (route === 'claim') return claim(sessions, session, token);
  if (session.activeToken !== token) return { status: 409, document: { status: 409 } };
  if (route.startsWith('wallet')) return answerKeep(session, route, call.body.toString());
  if (route === 'pictures') {
    session.pictures.push({ kind: call.kind as CaptureKind, bytes: call.body });
    return { status: 201, document: { stored_uri: `asset://picture/${session.pictures.length}` } };
  }
  if (route === 'challenge') return { status: 201, document: challengeOf(session) };
  if (route === 'handover') {
    const link = newToken();
    sessions.set(link, session);
    session.handovers.push(link);
    const expires_at = new Date(Date.now() + 600_000).toISOString();
    return { status: 201, document: { url: `${call.url}/capture#${link}`, expires_at } };
  }
  if (route !== 'advance') return { status: 404, document: { status: 404 } };
  const { input } = JSON.parse(call.body.toString()) as { input: Record<string, unknown> };
  advance(session, input);
  return { status: 200, document: stateOf(session, token) };
}

function claim(sessions: Map<string, CaptureFixture>, session: CaptureFixture, token: string): Answer {
  let fresh: string | null = null;
  if (session.handovers.includes(token)) {
    fresh = newToken();
    sessions.set(fresh, session);
    sessions.delete(token);
  }
  session.activeToken = fresh ?? token;
  return { status: 200, document: { token: fresh, state: stateOf(session, session.activeToken) } };
}

function challengeOf({ livenessMode }: CaptureFixture): object {
  const times = { issued_at: new Date().toISOString(), expires_at: new Date(Date.now() + 60_000).toISOString() };
  return livenessMode === 'active'
    ? { kind: 'active', challenge_id: 'chl_1', poses: ['center', 'left', 'right'], ...times }
    : { kind: 'passive', nonce: 'nonce-1', ...times };
}

function advance(session: CaptureFixture, input: Record<string, unknown>): void {
  session.advances.push({ step: String(session.step), input });
  session.retryReason = null;
  const retry = session.step === 'consent' ? undefined : session.retries.shift();
  if (retry !== undefined) {
    session.retryReason = retry;
    session.attemptsLeft -= 1;
    return;
  }
  if (session.step === 'sarlaft') session.processing = 2;
  else session.step = FOLLOWING[session.step as keyof typeof FOLLOWING];
}

function settle(session: CaptureFixture): void {
  session.step = null;
  session.status = session.ending;
  session.result = RESULTS[session.ending];
}
