import { describe, expect, it } from 'vitest';
import { ENVELOPE_STATUSES, isOpen, SIGNER_STATUSES } from '../envelopes/envelope-states.ts';
import { allowedRequests, nextStep, type Standing } from './next-step.ts';

const standing = (changes: Partial<Standing>): Standing => ({
  envelopeStatus: 'in_progress',
  status: 'viewed',
  auth: ['otp_email', 'access_code'],
  auth_done: [],
  ...changes,
});

describe('what a signer does next', () => {
  it.each([
    [{ status: 'waiting' }, 'wait', []],
    [{ status: 'pending' }, 'consent', []],
    [{ status: 'viewed' }, 'consent', ['consent', 'decline']],
    [{ status: 'consented' }, 'otp', ['otp/send', 'otp/verify', 'decline']],
    [{ status: 'consented', auth_done: ['otp_email'] }, 'access_code', ['access-code', 'decline']],
    [{ status: 'consented', auth: ['access_code', 'otp_email'] }, 'access_code', ['access-code', 'decline']],
    [{ status: 'authenticated' }, 'sign', ['sign', 'decline']],
    [{ status: 'signed' }, 'done', []],
    [{ status: 'declined', envelopeStatus: 'declined' }, 'done', []],
  ] as const)('%j: %s', (changes, next, allowed) => {
    expect(nextStep(standing(changes))).toBe(next);
    expect(allowedRequests(standing(changes))).toEqual(allowed);
  });

  it('is nothing once the envelope is not open, whoever asks', () => {
    for (const envelopeStatus of ENVELOPE_STATUSES.filter((status) => !isOpen(status))) {
      for (const status of SIGNER_STATUSES) {
        expect(nextStep(standing({ envelopeStatus, status }))).toBe('done');
        expect(allowedRequests(standing({ envelopeStatus, status }))).toEqual([]);
      }
    }
  });
});
