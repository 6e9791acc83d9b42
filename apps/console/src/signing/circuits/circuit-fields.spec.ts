import { expect, it } from 'vitest';
import { type CircuitRow, looksComplete } from './circuit-fields.ts';

type Draft = Pick<CircuitRow, 'base_pdf_sha256' | 'signers' | 'fields'>;

const COMPLETE = {
  base_pdf_sha256: 'a'.repeat(64),
  signers: [{ role: 'cliente' }, { role: 'codeudor' }],
  fields: [
    { signer: 'cliente', type: 'signature' },
    { signer: 'codeudor', type: 'signature' },
  ],
} as unknown as Draft;

it.each<[string, Partial<Draft>, boolean]>([
  ['a draft with a PDF and a signature of each signer', {}, true],
  ['a draft without a PDF', { base_pdf_sha256: null }, false],
  ['a draft without signers', { signers: [] }, false],
  ['a draft in which a signer has no signature', { fields: COMPLETE.fields.slice(1) }, false],
])('of %s, tells whether it looks complete', (_, lacking, complete) => {
  expect(looksComplete({ ...COMPLETE, ...lacking })).toBe(complete);
});
