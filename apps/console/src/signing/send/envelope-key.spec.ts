import { describe, expect, it } from 'vitest';
import { envelopeKey } from './envelope-key.ts';

const ana = { role: 'cliente', email: 'ana@b.co', name: 'Ana', access_code: '1234' };
const body = { circuit_id: '01890000-0000-7000-8000-000000000001', expires_in_days: 30, signers: [ana] };

describe('the key of an envelope', () => {
  it('is the same UUID for the same envelope, however its members are ordered', async () => {
    const key = await envelopeKey(body, 0);
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    const { signers, circuit_id, expires_in_days } = body;
    expect(await envelopeKey({ signers, expires_in_days, circuit_id }, 0)).toBe(key);
  });

  it('is another one for another person, subject or copy, and says nothing about an access code', async () => {
    const key = await envelopeKey(body, 0);
    expect(await envelopeKey(body, 1)).not.toBe(key);
    expect(await envelopeKey({ ...body, subject: 'Arriendo' }, 0)).not.toBe(key);
    expect(await envelopeKey({ ...body, signers: [{ ...ana, email: 'eva@b.co' }] }, 0)).not.toBe(key);
    expect(await envelopeKey({ ...body, signers: [{ ...ana, access_code: '9999' }] }, 0)).toBe(key);
    expect(await envelopeKey({ ...body, signers: [{ ...ana, phone: '+573001234567' }] }, 0)).toBe(key);
  });
});
