import { describe, expect, it } from 'vitest';
import type { SignState } from '../api/sign-state.ts';
import { dueAuthentication, screenOf, stepsOf } from './steps.ts';

const state = (envelope: string, signer: string, next: string): SignState =>
  ({
    envelope: { status: envelope },
    signer: { status: signer },
    auth: { required: ['access_code', 'otp_email'], completed: [] },
    next,
  }) as unknown as SignState;

describe('the screen of a state', () => {
  it.each([
    ['in_progress', 'waiting', 'wait', 'waiting'],
    ['sent', 'pending', 'consent', 'consent'],
    ['in_progress', 'viewed', 'consent', 'consent'],
    ['in_progress', 'consented', 'otp', 'otp_email'],
    ['in_progress', 'consented', 'access_code', 'access_code'],
    ['in_progress', 'consented', 'identity', 'identity'],
    ['in_progress', 'authenticated', 'sign', 'signing-form'],
    ['in_progress', 'signed', 'done', 'signed'],
    ['sealing', 'signed', 'done', 'sealing'],
    ['sealed', 'signed', 'done', 'sealed'],
    ['failed', 'signed', 'done', 'failed'],
    ['declined', 'declined', 'done', 'declined-by-you'],
    ['declined', 'signed', 'done', 'declined-by-other'],
    ['declined', 'waiting', 'done', 'declined-by-other'],
  ])('an envelope %s whose signer is %s (next: %s) shows %s', (envelope, signer, next, screen) => {
    expect(screenOf(state(envelope, signer, next))).toBe(screen);
  });
});

it('has one step for a code to the phone, which is done by text message or by WhatsApp', () => {
  const auth = { required: ['otp_email', 'otp_sms', 'otp_whatsapp'], completed: ['otp_email'] };
  const asked = { ...state('in_progress', 'consented', 'otp'), auth } as unknown as SignState;
  expect(stepsOf(asked, false)).toEqual(['consent', 'otp_email', 'otp_phone', 'read', 'sign']);
  expect(dueAuthentication(asked)).toBe('otp_sms');
  const otp = { channels: [{ method: 'otp_whatsapp' }] };
  expect(screenOf({ ...asked, auth: { ...auth, otp } } as unknown as SignState)).toBe('otp_phone');
  auth.completed.push('otp_whatsapp');
  expect(dueAuthentication(asked)).toBeUndefined();
});

it('counts the ways to authenticate in the order they are asked for, and no step without content', () => {
  const asked = state('sent', 'pending', 'consent');
  expect(stepsOf(asked, true)).toEqual(['consent', 'access_code', 'otp_email', 'read', 'fill', 'sign']);
  expect(stepsOf(asked, false)).toEqual(['consent', 'access_code', 'otp_email', 'read', 'sign']);
});
