import { describe, expect, it } from 'vitest';
import { ENVELOPE_STATUSES, isOpen, SIGNER_STATUSES } from '../envelope-records/envelope-states.ts';
import { allowedRequests, nextStep, type Standing } from './next-step.ts';

const standing = (changes: Partial<Standing>): Standing => ({
  envelopeStatus: 'in_progress',
  status: 'viewed',
  documentAccess: 'link',
  auth: ['otp_email', 'access_code'],
  proven: [],
  ...changes,
});
const ALL = ['otp_email', 'access_code'] as const;
const WITH_IDENTITY = [...ALL, 'identity'] as const;

describe('what a signer does next', () => {
  it.each([
    [{ status: 'waiting' }, 'wait', ['not-me']],
    [{ status: 'pending' }, 'consent', []],
    [{ status: 'viewed' }, 'consent', ['consent', 'otp/send', 'otp/verify', 'not-me']],
    [{ status: 'viewed', proven: ALL }, 'consent', ['consent', 'decline', 'not-me']],
    [{ status: 'consented' }, 'otp', ['otp/send', 'otp/verify', 'not-me']],
    [{ status: 'consented', proven: ['otp_email'] }, 'access_code', ['access-code', 'not-me']],
    [{ status: 'consented', auth: ['access_code', 'otp_email'] }, 'access_code', ['access-code', 'not-me']],
    [{ status: 'authenticated' }, 'otp', ['otp/send', 'otp/verify', 'not-me']],
    [{ status: 'authenticated', proven: ALL }, 'sign', ['draft', 'sign', 'decline', 'not-me']],
    [{ status: 'consented', auth: WITH_IDENTITY, proven: ['otp_email'] }, 'access_code', ['access-code', 'not-me']],
    [
      { status: 'consented', auth: WITH_IDENTITY, proven: ALL },
      'identity',
      ['identity', 'identity/complete', 'decline', 'not-me'],
    ],
    [{ status: 'consented', auth: ['identity'] }, 'identity', ['identity', 'identity/complete', 'not-me']],
    [{ status: 'signed' }, 'done', []],
    [{ status: 'signed', documentAccess: 'authenticated' }, 'done', ['otp/send', 'otp/verify']],
    [
      { status: 'signed', documentAccess: 'authenticated', envelopeStatus: 'sealed' },
      'done',
      ['otp/send', 'otp/verify'],
    ],
    [{ status: 'signed', documentAccess: 'authenticated', proven: ALL }, 'done', []],
    [{ status: 'signed', documentAccess: 'authenticated', envelopeStatus: 'declined' }, 'done', []],
    [{ status: 'declined', envelopeStatus: 'declined' }, 'done', []],
  ] as const)('%j: %s', (changes, next, allowed) => {
    expect(nextStep(standing(changes))).toBe(next);
    expect(allowedRequests(standing(changes))).toEqual(allowed);
  });

  it('is nothing once the envelope is not open, for every signer', () => {
    for (const envelopeStatus of ENVELOPE_STATUSES.filter((status) => !isOpen(status))) {
      for (const status of SIGNER_STATUSES) {
        expect(nextStep(standing({ envelopeStatus, status }))).toBe('done');
        expect(allowedRequests(standing({ envelopeStatus, status }))).toEqual([]);
      }
    }
  });
});
