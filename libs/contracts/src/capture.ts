import type { ShownTenant } from './brand/shown-tenant.ts';
import type { LivenessMode } from './step-runs.ts';

/**
 * The routes of the person host ({person_url}) that the capture page calls. The capture token stands in the fragment of the page's
 * address (`/capture#cpt_…`) and is sent as `Authorization: Bearer`. Every route answers the same 404 not-found, byte for byte but for
 * its request_id, to a token that is unknown, expired or ended, and 403 forbidden to a request from another origin.
 */
export const CAPTURE_ROUTES = {
  /** GET → 200 CaptureState. Changes nothing. */
  state: '/capture/state',
  /** POST `{}` → 200 CaptureClaim: this device has the session from now on. */
  claim: '/capture/claim',
  /** POST `?kind=` CaptureKind, the bytes of a JPEG, PNG or WebP of up to 10 MiB → 201 CapturedPicture. */
  pictures: '/capture/pictures',
  /** POST CaptureAdvance, with an Idempotency-Key where it may be repeated → 200 CaptureState. */
  advance: '/capture/advance',
  /** POST `{}` → 200 CaptureState. Asks for a kept verification, where the state offers it; again: the same request while it is open. */
  reuse: '/capture/reuse',
  /** POST `{}` → 201 CaptureChallenge. */
  challenge: '/capture/challenge',
  /** POST `{}` → 201 CaptureHandover. */
  handover: '/capture/handover',
} as const;

/** `cpt_`, 32 random bytes as 43 base62 characters, a checksum of 6. */
export const CAPTURE_TOKEN = /^cpt_[0-9A-Za-z]{49}$/;

/** How long a session, and with it the link to take it, lasts. */
export const SESSION_HOURS = 24;

/** What a picture of the capture page shows. */
export const CAPTURE_KINDS = ['doc_front', 'doc_back', 'selfie', 'frame'] as const;
export type CaptureKind = (typeof CAPTURE_KINDS)[number];

/** Languages of the person's pages. */
export const PERSON_LOCALES = ['es-CO', 'en'] as const;
export type PersonLocale = (typeof PERSON_LOCALES)[number];

/** Frames for passive liveness, beside the selfie: so many, taken within so long. */
export const PASSIVE_FRAMES = { least: 3, most: 5, withinMs: 2_000 } as const;

/** Where the session stands. processing: the step is being worked on, ask again. expired: its time is over, it has failed by that. */
export const CAPTURE_STATUSES = [
  'in_progress',
  'processing',
  'completed',
  'failed',
  'manual_review',
  'expired',
] as const;
export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

export type CaptureStep = 'consent' | 'document_upload' | 'face_match' | 'sarlaft';

/** How the session ended, in terms that never say why (no tipping-off). */
export type CaptureResult = 'verified' | 'not_verified' | 'in_review';

/**
 * Which part this device has. active: it takes the steps. waiting: another device does, show "continue on your phone" and follow the
 * state; claim takes it back. unopened: this is the link of a handover, call claim first.
 */
export type CaptureDevice = 'active' | 'waiting' | 'unopened';

/** What the capture page shows. */
export interface CaptureState {
  status: CaptureStatus;
  /** The step that the session stands at; null when it is over. */
  step: CaptureStep | null;
  /** Whether the step must be taken; false: advance also takes `{skip: true}`. */
  required: boolean;
  /** Null: the step has no bound of attempts, or the session is over. */
  attempts_left: number | null;
  /** With status in_progress after a step that has to be repeated: why, as one of RETRY_HELP (`blurred`, `no_face`, …); else null. */
  retry_reason: string | null;
  /** At step consent: what is to be agreed to, in the language of `locale`. Send `version` and `locale` back with advance. */
  consent: { version: string; locale: PersonLocale; text: string; sha256: string } | null;
  /**
   * At step consent of a signer's session whose flow accepts a kept verification instead of pictures; else null. offered: ask for it
   * (`reuse`); asked: the person answers at consent_url, on the device that has the session; given: advance goes on without pictures.
   */
  reuse: { status: 'offered' | 'asked' | 'given'; consent_url: string | null } | null;
  /** At step document_upload. document_type: what the session was opened with, one of document_types. */
  document: {
    document_type: string;
    document_types: string[];
    /** A passport has no back. */
    sides: ('front' | 'back')[];
    /** Whether a file may be sent instead of a picture of the camera. */
    file_allowed: boolean;
  } | null;
  /** At step face_match. */
  selfie: {
    liveness_mode: LivenessMode;
    file_allowed: boolean;
    /** Mode basic: passive liveness looks at so many pictures beside the selfie. Null: no frames are looked at. */
    frames: { least: number; most: number; within_ms: number } | null;
  } | null;
  tenant: ShownTenant;
  locale: PersonLocale;
  /** Where the page leads the person at the end, as the tenant registered it. Nothing is added to it. */
  return_url: string | null;
  /** ISO 8601: when the session ends. */
  expires_at: string;
  /** Null while it is under way. */
  result: CaptureResult | null;
  device: CaptureDevice;
  /** How many handovers may still be asked for. */
  handovers_left: number;
}

/**
 * POST /capture/claim. token: with the link of a handover a new capture token of this device, shown once: the link itself is used up, so
 * put the token in its place in the address (history.replaceState); null with any other token, which stays as it is.
 */
export interface CaptureClaim {
  token: string | null;
  state: CaptureState;
}

/** POST /capture/pictures. stored_uri: what the input of advance names the picture by. */
export interface CapturedPicture {
  stored_uri: string;
}

/** POST /capture/advance: as POST /v1/flows/sessions/{id}/advance. */
export interface CaptureAdvance {
  input: CaptureInput;
}

/** The input of each step. */
export type CaptureInput =
  | { accepted: true; locale: PersonLocale; version: string }
  | { doc_front_uri: string; doc_back_uri?: string }
  | { selfie_uri: string; liveness_mode?: 'basic'; frames?: string[]; nonce?: string }
  | { selfie_uri: string; liveness_mode: 'active'; challenge_id: string; frame_uris: string[] }
  | { skip: true }
  | Record<string, never>;

/**
 * POST /capture/challenge at step face_match, by the liveness_mode of the step. passive: send `nonce` with the stored_uri of each frame in
 * `frames`; active: `challenge_id` with one picture per pose in `frame_uris`. Good once, until expires_at; asking again ends the one before.
 */
export type CaptureChallenge =
  | { kind: 'passive'; nonce: string; issued_at: string; expires_at: string }
  | { kind: 'active'; challenge_id: string; poses: string[]; issued_at: string; expires_at: string };

/** POST /capture/handover. url: for the QR code; opened by one device, until expires_at. Asking again ends the one before. */
export interface CaptureHandover {
  url: string;
  expires_at: string;
}
