import { randomBytes } from 'node:crypto';
import { SIGNING_CONTEXT } from '@constancia/contracts';
import { uuidv7 } from '@constancia/kernel';
import { TenantKeyring } from '@constancia/personal-data';
import { expect, test } from 'vitest';
import { newIndexKey } from '@constancia/personal-data';
import { isSealed, type LeasedMail, openMail } from './claimed-mail.ts';

const owner = { schema: 'signing', tenantId: uuidv7() };
const key = randomBytes(32);
const keyring = new TenantKeyring({ ...owner, key, sealedIndexKey: newIndexKey(owner, key) });

const CLEAR = {
  signer_id: uuidv7(),
  envelope_id: uuidv7(),
  kind: 'declined',
  email: 'ana@example.org',
  name: 'Ana',
  subject: 'Compraventa',
  message: 'Antes del viernes.',
  end_reason: 'Cambió el precio',
  role: 'buyer',
  declined_by: 'seller',
  decliner_id: uuidv7(),
  sealed_person: null,
  signer_key: null,
  sealed_words: null,
  sealed_end_reason: null,
  envelope_key: null,
  decliner_person: null,
  decliner_key: null,
} as unknown as LeasedMail;

function sealed(): LeasedMail {
  const [signer, envelope, decliner] = [CLEAR.signer_id, CLEAR.envelope_id, CLEAR.decliner_id as string].map((id) =>
    keyring.newSubject(id),
  ) as [ReturnType<TenantKeyring['newSubject']>, ReturnType<TenantKeyring['newSubject']>, ReturnType<TenantKeyring['newSubject']>]; // prettier-ignore
  const { email, name, subject, message, end_reason } = CLEAR;
  return {
    ...CLEAR,
    email: '',
    name: null,
    subject: null,
    message: null,
    end_reason: null,
    sealed_person: signer.key.seal(SIGNING_CONTEXT.person(signer.key.id), { email, name }),
    signer_key: signer.wrapped,
    sealed_words: envelope.key.seal(SIGNING_CONTEXT.words(envelope.key.id), { subject, message }),
    sealed_end_reason: envelope.key.seal(SIGNING_CONTEXT.endReason(envelope.key.id), {
      reason: end_reason,
      salt: null,
    }),
    envelope_key: envelope.wrapped,
    decliner_person: decliner.key.seal(SIGNING_CONTEXT.person(decliner.key.id), { email: 'b@b.co', name: 'Beto' }),
    decliner_key: decliner.wrapped,
  };
}

test('a mail whose data is sealed opens to the same values as one in the clear', () => {
  const { email, name, subject, message, end_reason } = CLEAR;
  expect(openMail(keyring, sealed())).toMatchObject({ email, name, subject, message, end_reason, declined_by: 'Beto' });
  expect([isSealed(sealed()), isSealed(CLEAR)]).toEqual([true, false]);
  expect(openMail(keyring, CLEAR)).toEqual({ ...CLEAR, phone: null });
});

test('a mail to a signer whose key was destroyed does not open', () => {
  expect(() => openMail(keyring, { ...sealed(), signer_key: null })).toThrow('destroyed');
});
