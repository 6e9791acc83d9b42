import { expect, it } from 'vitest';
import { batchColumns } from './batch-columns.ts';

it('the columns of a file are those of its signers, of the fields that can be filled in, and options', () => {
  const signers = [
    { role: 'buyer', auth: ['otp_sms'], order: 1 },
    { role: 'seller', auth: ['access_code'], order: 2 },
  ];
  const fields = [
    { key: 'amount', type: 'text' },
    { key: 'buyer_signature', type: 'signature' },
  ];
  const columns = batchColumns({ signers, fields } as unknown as Parameters<typeof batchColumns>[0]);
  expect(columns.slice(0, 8)).toEqual([
    'signers.buyer.email',
    'signers.buyer.name',
    'signers.buyer.phone',
    'signers.seller.email',
    'signers.seller.name',
    'signers.seller.access_code',
    'values.amount',
    'external_ref',
  ]);
});
