import { randomBytes } from 'node:crypto';
import type { CaptureKind, CaptureState, CaptureStep } from '@constancia/contracts/capture';

export interface CaptureSetup {
  step?: CaptureStep;
  status?: CaptureState['status'];
  result?: CaptureState['result'];
  locale?: CaptureState['locale'];
  sides?: ('front' | 'back')[];
  fileAllowed?: boolean;
  required?: boolean;
  livenessMode?: 'basic' | 'active';
  /** What each answer to pictures is, in turn; then they pass. */
  retries?: string[];
  /** How it ends. */
  ending?: 'completed' | 'failed' | 'manual_review';
  pauseMs?: number;
}

/** A session, as the stand-in server keeps it. Invented people. */
export interface CaptureFixture extends Required<Omit<CaptureSetup, 'step'>> {
  step: CaptureStep | null;
  mode: 'well' | 'down' | 'gone';
  retryReason: string | null;
  attemptsLeft: number;
  /** How often the state is still processing. */
  processing: number;
  activeToken: string;
  handovers: string[];
  pictures: { kind: CaptureKind; bytes: Buffer }[];
  advances: { step: string; input: Record<string, unknown> }[];
  /** What the person asked to keep. */
  keep: { email: string | null; confirmed: boolean };
}

const TEXT =
  'Autorizo a la entidad a tratar mis datos personales para verificar mi identidad.\nMi cara y mi documento son datos sensibles: no estoy obligado a entregarlos.\nPuedo pedir que se borren cuando quiera.';

export const newToken = (): string => `cpt_${randomBytes(40).toString('hex').slice(0, 49)}`;

export function captureFixture(token: string, setup: CaptureSetup = {}): CaptureFixture {
  return {
    step: 'consent',
    status: 'in_progress',
    result: null,
    locale: 'es-CO',
    sides: ['front', 'back'],
    fileAllowed: false,
    required: true,
    livenessMode: 'basic',
    retries: [],
    ending: 'completed',
    pauseMs: 0,
    mode: 'well',
    retryReason: null,
    attemptsLeft: 3,
    processing: 0,
    activeToken: token,
    handovers: [],
    pictures: [],
    advances: [],
    keep: { email: null, confirmed: false },
    ...setup,
  };
}

export function stateOf(session: CaptureFixture, token: string): CaptureState {
  const { step, locale, fileAllowed: file_allowed, livenessMode: liveness_mode } = session;
  const active = session.activeToken === token;
  return {
    status: session.processing > 0 ? 'processing' : session.status,
    step,
    required: session.required,
    attempts_left: step === 'document_upload' || step === 'face_match' ? session.attemptsLeft : null,
    retry_reason: session.retryReason,
    consent: step === 'consent' ? { version: '3', locale, text: TEXT, sha256: 'ab'.repeat(32) } : null,
    reuse: null,
    document:
      step === 'document_upload'
        ? { document_type: 'CC', document_types: ['CC', 'PA'], sides: session.sides, file_allowed }
        : null,
    selfie:
      step === 'face_match'
        ? {
            liveness_mode,
            file_allowed,
            frames: liveness_mode === 'basic' ? { least: 3, most: 5, within_ms: 2_000 } : null,
          }
        : null,
    tenant: { display_name: 'Banco del Páramo', color: null, logo: null },
    locale,
    return_url: 'https://banco.example/gracias',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    result: session.result,
    device: active ? 'active' : session.handovers.includes(token) ? 'unopened' : 'waiting',
    handovers_left: 3 - session.handovers.length,
  };
}
