import { KmsUnavailable } from '@constancia/kms';
import { type FailureCode, PdfPoolBusy, SealingFailure } from '@constancia/pdf-sealing';
import { DatabaseUnavailableError } from '@constancia/persistence';
import { ObjectMissing, StorageUnavailable } from '@constancia/storage';
import { describe, expect, it } from 'vitest';
import { killsWorkers, decideFailure } from './failure-decision.ts';
import { TenantKeyUnusable } from './tenant-keys/tenant-key-unusable.ts';
import { TimestampUnavailable } from './timestamp-authority.ts';

const young = { attempts: 1, faults: 0, ageSeconds: 3, giveUpSeconds: 900 };
const kms = new KmsUnavailable('throttled', 'test');

describe('what becomes of a request that could not be sealed', () => {
  it.each<FailureCode>([
    'invalid_pdf',
    'encrypted_pdf',
    'placeholder_outside_page',
    'text_overflow',
    'unsupported_text',
    'invalid_image',
    'too_complex',
  ])('%s is the fault of the input: failed at once, not refunded', (code) => {
    const failure = new SealingFailure(code, 'A sentence.');
    expect(decideFailure(failure, young)).toEqual({ kind: 'failed', code, reason: 'A sentence.', refund: false });
  });

  it.each([
    ['KMS throttling', kms, 'kms'],
    ['a key that is disabled', new KmsUnavailable('key-unusable', 'test'), 'kms'],
    ['a key of the tenant that cannot be used', new TenantKeyUnusable('key_refused'), 'tenant_key'],
    ['a time-stamping authority that is unavailable', new TimestampUnavailable('test'), 'timestamps'],
    ['storage away', new StorageUnavailable('ENOSPC'), 'storage'],
    ['the database away while the key is published', new DatabaseUnavailableError(), 'database'],
  ])('%s is waited out', (_, error, cause) => {
    expect(decideFailure(error, young)).toMatchObject({ kind: 'deferred', cause });
    expect(decideFailure(error, { ...young, attempts: 40, ageSeconds: 899 })).toMatchObject({ kind: 'deferred' });
  });

  it('is given up when it is too old, and refunded', () => {
    expect(decideFailure(kms, { attempts: 20, faults: 0, ageSeconds: 900, giveUpSeconds: 900 })).toMatchObject({
      kind: 'failed',
      code: 'signing_unavailable',
      refund: true,
    });
  });

  it('names the setting when it was the tenant’s key that was waited for, for up to two minutes each time', () => {
    const error = new TenantKeyUnusable('certificate_expired');
    const old = { attempts: 40, faults: 0, ageSeconds: 9_000, giveUpSeconds: 900 };
    expect(decideFailure(error, old)).toMatchObject({
      ...{ kind: 'failed', code: 'signing_unavailable', refund: true },
      reason: expect.stringContaining('GET /v1/signing-settings'),
    });
    const waiting = decideFailure(error, { ...old, giveUpSeconds: Infinity }) as { delayMs: number };
    expect(waiting.delayMs).toBeGreaterThan(90_000);
    expect(waiting.delayMs).toBeLessThanOrEqual(144_000);
  });

  it('a request that no worker looked at for hours still gets three attempts', () => {
    const old = { faults: 0, ageSeconds: 90_000, giveUpSeconds: 900 };
    const kinds = [1, 2, 3].map((attempts) => decideFailure(kms, { ...old, attempts }).kind);
    expect(kinds).toEqual(['deferred', 'deferred', 'failed']);
  });

  it.each([
    ['a mistake of ours', new TypeError('x is not a function')],
    ['a child that does not start', new SealingFailure('internal', 'The process that reads documents does not start.')],
    ['a template that is gone', new ObjectMissing('templates/x.pdf')],
  ])('%s is tried four times, then internal and refunded, without its message', (_, error) => {
    const decisions = [0, 1, 2, 3].map((faults) => decideFailure(error, { ...young, attempts: faults + 1, faults }));
    expect(decisions.map(({ kind }) => kind)).toEqual(['deferred', 'deferred', 'deferred', 'failed']);
    expect(decisions[3]).toMatchObject({ code: 'internal', refund: true });
    expect((decisions[3] as { reason: string }).reason).not.toContain(error.message);
  });

  it('attempts that waited for KMS take none from those that internal faults have', () => {
    const decision = decideFailure(new TypeError('x'), { ...young, attempts: 60, faults: 0 });
    expect(decision).toMatchObject({ kind: 'deferred', cause: 'internal' });
    expect((decision as { delayMs: number }).delayMs).toBeLessThanOrEqual(1_000);
  });

  it.each(Object.entries({ kms, storage: new StorageUnavailable('ENOSPC'), database: new DatabaseUnavailableError() }))(
    'what is never given up waits for %s for years',
    (cause, error) => {
      const years = { ...young, attempts: 9_999, ageSeconds: 1e9, giveUpSeconds: Infinity };
      expect(decideFailure(error, years)).toMatchObject({ kind: 'deferred', cause });
    },
  );

  it('too much work for what was drawn before may be the machine: it is the input when it comes four times', () => {
    const failure = new SealingFailure('too_complex', 'A sentence.');
    const decisions = [0, 1, 2, 3].map((faults) => decideFailure(failure, { ...young, faults, drawnBefore: true }));
    expect(decisions.slice(0, 3)).toMatchObject(Array(3).fill({ kind: 'deferred', cause: 'internal' }));
    expect(decisions[3]).toEqual({ kind: 'failed', code: 'too_complex', reason: 'A sentence.', refund: false });
    const other = new SealingFailure('text_overflow', 'A sentence.');
    expect(decideFailure(other, { ...young, drawnBefore: true })).toMatchObject({
      kind: 'failed',
      code: 'text_overflow',
    });
  });

  it('a busy pool costs nothing but a little time', () => {
    expect(decideFailure(new PdfPoolBusy(), { ...young, attempts: 99 })).toMatchObject({
      kind: 'deferred',
      delayMs: 500,
    });
  });

  it('waits longer each time, up to half a minute', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 30].map((attempts) => {
      const decision = decideFailure(kms, { ...young, attempts });
      return decision.kind === 'deferred' ? decision.delayMs : 0;
    });
    [1, 2, 4, 8, 16, 30, 30, 30].forEach((seconds, nth) => {
      expect(delays[nth]).toBeLessThanOrEqual(seconds * 1_000);
      expect(delays[nth]).toBeGreaterThanOrEqual(seconds * 800);
    });
  });
});

describe('a request that its workers do not survive', () => {
  it('is tried until it is too old, and then no more', () => {
    const dead = { strandings: 3, ageSeconds: 901, giveUpSeconds: 900, stranded: true };
    expect(killsWorkers(dead)).toBe(true);
    expect(killsWorkers({ ...dead, ageSeconds: 100 })).toBe(false);
    expect(killsWorkers({ ...dead, strandings: 2 })).toBe(false);
    expect(killsWorkers({ ...dead, stranded: false })).toBe(false);
  });
});
