import { backoffMs } from '@constancia/kernel';
import { KmsUnavailable } from '@constancia/kms';
import { type FailureCode, PdfPoolBusy, SealingFailure } from '@constancia/pdf-sealing';
import { DatabaseUnavailableError } from '@constancia/persistence';
import { KeysUnavailableError } from '@constancia/personal-data';
import { StorageUnavailable } from '@constancia/storage';
import { TenantKeyUnusable } from './tenant-keys/tenant-key-unusable.ts';
import { TimestampUnavailable } from './timestamp-authority.ts';

/** Why a request has to wait: a dependency is unavailable, or an internal error has to be fixed. */
export type FailureCause = 'kms' | 'tenant_key' | 'timestamps' | 'storage' | 'database' | 'busy' | 'internal';

/** What becomes of a request that could not be sealed this time. */
export type FailureDecision =
  | { kind: 'deferred'; delayMs: number; cause: FailureCause }
  | { kind: 'failed'; code: FailureCode; reason: string; refund: boolean };

/** Failures that the input brings about: the same input fails again, and the run was work done for it. */
const BY_INPUT: readonly FailureCode[] = [
  'invalid_pdf',
  'encrypted_pdf',
  'placeholder_outside_page',
  'text_overflow',
  'unsupported_text',
  'invalid_image',
  'too_complex',
];

/** An unexpected error gets another chance, since most pass by themselves. */
const INTERNAL_ATTEMPTS = 4;
/** A request that waited for hours while no worker ran still gets some tries before it is given up. */
const LEAST_ATTEMPTS = 3;
/** 1 s, 2 s, 4 s … 30 s, with a fifth of jitter so that what failed together does not come back together. */
const DELAYS = { firstMs: 1_000, longestMs: 30_000, jitter: 0.2 };
const BUSY_DELAY_MS = 500;
/** Somebody has to act first, and then what waits is tried at once: documents of one tenant do not take the places of others' meanwhile. */
const TENANT_KEY_DELAYS = { firstMs: 5_000, longestMs: 120_000, jitter: 0.2 };

const REASON = {
  signing_unavailable: 'The document could not be signed or stored for too long. The credits were refunded.',
  tenant_key:
    'The key or the certificate of GET /v1/signing-settings could not be used for too long. The credits were refunded.',
  internal: 'The service could not seal the document. The credits were refunded.',
};

export interface Circumstances {
  /** Whether all that is drawn was drawn before, part by part. */
  drawnBefore?: boolean;
  /** This attempt included. */
  attempts: number;
  /** Those of the earlier attempts that an internal fault ended: not those that waited for KMS or the storage. */
  faults: number;
  ageSeconds: number;
  /** Infinity: never. */
  giveUpSeconds: number;
}

/**
 * Decides from what went wrong. The input's fault ends the request at once, unrefunded; too much work for what was drawn before only when it
 * comes again and again: it may be the machine's. The service's own (KMS, time-stamps, storage) and a tenant's key is
 * waited out until the request is too old, and anything unexpected a few times; then the request fails and is refunded.
 */
export function decideFailure(error: unknown, circumstances: Circumstances): FailureDecision {
  const { attempts, faults, ageSeconds, giveUpSeconds } = circumstances;
  const lastChance = faults + 1 >= INTERNAL_ATTEMPTS;
  if (error instanceof SealingFailure && BY_INPUT.includes(error.code)) {
    const final = error.code !== 'too_complex' || !circumstances.drawnBefore || lastChance;
    if (final) return { kind: 'failed', code: error.code, reason: error.message, refund: false };
  }
  if (error instanceof PdfPoolBusy) return { kind: 'deferred', delayMs: BUSY_DELAY_MS, cause: 'busy' };
  const away = unavailableDependency(error);
  if (away) {
    const givenUp = ageSeconds >= giveUpSeconds && attempts >= LEAST_ATTEMPTS;
    const reason = away === 'tenant_key' ? REASON.tenant_key : REASON.signing_unavailable;
    if (givenUp) return { kind: 'failed', code: 'signing_unavailable', reason, refund: true };
    return { kind: 'deferred', delayMs: delayMs(attempts, away), cause: away };
  }
  return lastChance ? failedByUs('internal') : { kind: 'deferred', delayMs: delayMs(faults + 1), cause: 'internal' };
}

/** A request that its workers did not survive, again and again until it grew too old, is not tried once more. */
export function killsWorkers(
  request: Pick<Circumstances, 'ageSeconds' | 'giveUpSeconds'> & { stranded: boolean; strandings: number },
): boolean {
  return request.stranded && request.strandings >= LEAST_ATTEMPTS && request.ageSeconds >= request.giveUpSeconds;
}

export function failedByUs(code: 'signing_unavailable' | 'internal'): Extract<FailureDecision, { kind: 'failed' }> {
  return { kind: 'failed', code, reason: REASON[code], refund: true };
}

const delayMs = (attempts: number, cause?: FailureCause) =>
  Math.round(backoffMs(attempts, cause === 'tenant_key' ? TENANT_KEY_DELAYS : DELAYS));

/** The dependency that is unavailable, as far as an error shows it. */
export function unavailableDependency(error: unknown): FailureCause | undefined {
  if (error instanceof KmsUnavailable || error instanceof KeysUnavailableError) return 'kms';
  if (error instanceof TenantKeyUnusable) return 'tenant_key';
  if (error instanceof TimestampUnavailable) return 'timestamps';
  if (error instanceof StorageUnavailable) return 'storage';
  if (error instanceof DatabaseUnavailableError) return 'database';
  return undefined;
}
