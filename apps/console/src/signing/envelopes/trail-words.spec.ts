import { expect, it } from 'vitest';
import { ENGLISH } from '../text/english-envelopes.ts';
import { SPANISH } from '../text/spanish-envelopes.ts';
import { sentenceOf, whoOf } from './trail-words.ts';

const KINDS = ['invitation', 'reminder', 'otp', 'completed', 'declined', 'voided', 'expired', 'not_me'];

it.each([SPANISH.trail, ENGLISH.trail])(
  'says of each kind of mail what it was, and of an unknown one only that it was sent',
  (words) => {
    const said = [...KINDS, 'of_tomorrow'].map((mail) =>
      sentenceOf({ type: 'signer.notified', data: { mail } }, words),
    );
    expect(new Set(said).size).toBe(KINDS.length + 1);
    expect(said.at(-1)).toBe(words.events['signer.notified']);
    expect(sentenceOf({ type: 'signer.notified', data: {} }, words)).toBe(words.events['signer.notified']);
    expect(sentenceOf({ type: 'signer.notified', data: { message: 'otp_whatsapp' } }, words)).toContain('WhatsApp');
    expect(sentenceOf({ type: 'signer.otp_sent', data: { method: 'otp_whatsapp' } }, words)).toContain('WhatsApp');
    expect(sentenceOf({ type: 'signer.otp_sent', data: { method: 'otp_email' } }, words)).toBe(
      words.events['signer.otp_sent'],
    );
    expect(sentenceOf({ type: 'signer.signed', data: { mail: 'otp' } }, words)).toBe(words.events['signer.signed']);
  },
);

const titleOf = (role: string): string => `the ${role}`;

it('names the signer beside the role where the name is known', () => {
  const signers = [
    { id: 'sgn_1' as const, name: 'Ana Ruiz' },
    { id: 'sgn_2' as const, name: null },
  ];
  expect(whoOf({ role: 'cliente', signer_id: 'sgn_1' }, signers, titleOf)).toBe('Ana Ruiz (the cliente)');
  expect(whoOf({ role: 'codeudor', signer_id: 'sgn_2' }, signers, titleOf)).toBe('the codeudor');
  expect(whoOf({ role: null, signer_id: null }, signers, titleOf)).toBeNull();
});
