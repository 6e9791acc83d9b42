import { randomBytes } from 'node:crypto';
import { SIGNING_CONTEXT } from '@constancia/contracts';
import { uuidv7 } from '@constancia/kernel';
import { TenantKeyring } from '@constancia/personal-data';
import { describe, expect, it } from 'vitest';
import { newIndexKey } from '@constancia/personal-data';
import type { ClaimedEnvelope, StoredSigner } from './envelope-rows.ts';
import { openedEnvelope } from './opened-envelope.ts';

const owner = { schema: 'signing', tenantId: uuidv7() };
const key = randomBytes(32);
const keyring = new TenantKeyring({ ...owner, key, sealedIndexKey: newIndexKey(owner, key) });
const personal = { tenant: () => Promise.resolve(keyring) };

const envelope = { id: uuidv7(), tenant_id: owner.tenantId, subject: null } as ClaimedEnvelope;

function sealedSigner(): StoredSigner {
  const [own, words] = [keyring.newSubject(uuidv7()), keyring.newSubject(envelope.id)];
  const { id } = own.key;
  return {
    id,
    email: '',
    name: null,
    field_values: {},
    sealed_words: words.key.seal(SIGNING_CONTEXT.words(envelope.id), { subject: 'Compraventa', message: null }),
    sender_values: words.key.seal(SIGNING_CONTEXT.senderValues(envelope.id), { amount: '417' }),
    envelope_key: words.wrapped,
    sealed_person: own.key.seal(SIGNING_CONTEXT.person(id), { email: 'ana@example.org', name: 'Ana' }),
    sealed_values: own.key.seal(SIGNING_CONTEXT.values(id), { city: 'Cali' }),
    sealed_mark: own.key.seal(SIGNING_CONTEXT.mark(id), { text: 'Ana', image: Buffer.from('png').toString('base64') }),
    signer_key: own.wrapped,
  } as unknown as StoredSigner;
}

describe('an envelope to draw', () => {
  it('has what was sealed of it and of its signers, and no sealed bytes', async () => {
    const signer = sealedSigner();
    const drawn = await openedEnvelope(personal, envelope, [signer]);
    expect([drawn.envelope.subject, drawn.senderValues]).toEqual(['Compraventa', { amount: '417' }]);
    expect(drawn.signers).toEqual([
      {
        id: signer.id,
        email: 'ana@example.org',
        name: 'Ana',
        field_values: { city: 'Cali' },
        signature_text: 'Ana',
        signature_image: Buffer.from('png'),
      },
    ]);
  });

  it('of rows in the clear is as it is stored, and needs no keys', async () => {
    const none = {
      sealed_words: null,
      sender_values: null,
      sealed_person: null,
      sealed_values: null,
      sealed_mark: null,
      signer_key: null,
    };
    const clear = { ...sealedSigner(), ...none, envelope_key: null, email: 'ana@example.org' };
    const noKeys = { tenant: () => Promise.reject(new Error('not needed')) };
    const drawn = await openedEnvelope(noKeys, { ...envelope, subject: 'Arriendo' }, [clear]);
    expect([drawn.envelope.subject, drawn.signers[0]?.email]).toEqual(['Arriendo', 'ana@example.org']);
  });

  it.each(['signer_key', 'envelope_key'] as const)('is not drawn without what it holds: no %s', async (missing) => {
    const signer = { ...sealedSigner(), [missing]: null };
    await expect(openedEnvelope(personal, envelope, [signer])).rejects.toThrow('destroyed');
  });
});
