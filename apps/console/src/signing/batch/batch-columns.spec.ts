import { describe, expect, it } from 'vitest';
import { readCsv } from '../../parts/csv/csv-file.ts';
import { batchColumns, sampleFile } from './batch-columns.ts';

type Circuit = Parameters<typeof batchColumns>[0];

const circuit = {
  signers: [
    { role: 'buyer', auth: ['otp_sms'], order: 1 },
    { role: 'seller', auth: ['access_code'], order: 2 },
  ],
  fields: [
    { key: 'amount', type: 'text', signer: 'sender', required: true },
    { key: 'due', type: 'date', signer: 'sender', required: true, visible_if: { field: 'paid', equals: false } },
    { key: 'buyer_signature', type: 'signature', signer: 'buyer', required: true },
    { key: 'city', type: 'text', signer: 'buyer', required: true },
    { key: 'accepts', type: 'checkbox', signer: 'buyer', required: true },
    { key: 'paid', type: 'checkbox', signer: 'sender', required: true },
  ],
} as unknown as Circuit;

describe('the columns of a file', () => {
  it('are those of its signers, of the values that a row can carry, and options', () => {
    expect(batchColumns(circuit).map(({ title, needed }) => `${title}${needed ? '!' : ''}`)).toEqual([
      'signers.buyer.email!',
      'signers.buyer.name',
      'signers.buyer.phone!',
      'signers.seller.email!',
      'signers.seller.name',
      'signers.seller.access_code!',
      'values.amount!',
      'values.due',
      'values.city',
      'values.paid!',
      'external_ref',
      'subject',
      'message',
      'locale',
      'expires_in_days',
      'notify',
      'reminders.after_days',
    ]);
  });

  it.each([',', ';'] as const)('are in a sample file with one row, separated by %s', (separator) => {
    const [head, row, ...more] = readCsv(sampleFile(circuit, separator).slice(1)).rows;
    expect(more).toEqual([]);
    const cells = Object.fromEntries(head?.cells.map((title, at) => [title, row?.cells[at]]) ?? []);
    expect(cells).toEqual({
      'signers.buyer.email': 'buyer@firmantes.example',
      'signers.buyer.name': 'Rosalba Quintero',
      'signers.buyer.phone': '+573001234567',
      'signers.seller.email': 'seller@firmantes.example',
      'signers.seller.name': 'Rosalba Quintero',
      'signers.seller.access_code': '4821-73',
      'values.amount': '123',
      'values.due': '',
      'values.city': '123',
      'values.paid': 'true',
      external_ref: 'A-501',
    });
  });
});
