import { expect, it } from 'vitest';
import {
  type CircuitField,
  type CircuitRow,
  circuitFieldsOf,
  definitionOf,
  looksComplete,
  sourcesOf,
} from './circuit-fields.ts';

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

it('a condition rests on what the same signer, an earlier one or the sender fills in', () => {
  const signers = [
    { role: 'a', order: 1, auth: [] },
    { role: 'b', order: 2, auth: [] },
    { role: 'c', order: 2, auth: [] },
  ];
  const field = (key: string, signer: string, type = 'text') => ({ id: key, key, signer, type }) as CircuitField;
  const fields = [
    field('amount', 'sender'),
    field('a1', 'a'),
    field('a2', 'a', 'signature'),
    field('b1', 'b'),
    field('b2', 'b', 'checkbox'),
    field('c1', 'c'),
  ];
  const of = (key: string) => fields.find((one) => one.key === key) as CircuitField;
  expect(sourcesOf(of('b1'), fields, signers).map(({ key }) => key)).toEqual(['amount', 'a1', 'b2']);
  expect(sourcesOf(of('a1'), fields, signers).map(({ key }) => key)).toEqual(['amount']);
  expect(sourcesOf(of('amount'), fields, signers)).toEqual([]);
});

it('what the API keeps of a field is sent back as it was', () => {
  const fields = [
    { key: 'loan', signer: 'a', type: 'text', required: true, locked: true, visible_if: { field: 'x', equals: false } },
    { key: 'x', signer: 'a', type: 'checkbox', required: false, label: 'X' },
  ] as unknown as CircuitRow['fields'];
  const delivery = { document_access: 'link', attach_document: true } as const;
  expect(definitionOf([], circuitFieldsOf({ fields }), delivery)).toEqual({ signers: [], fields, ...delivery });
});

it('a field that was locked and is given to the sender, who locks nothing, is not locked', () => {
  const fields = [{ id: '1', key: 'city', signer: 'sender', type: 'text', label: '', locked: true }] as CircuitField[];
  const { fields: sent } = definitionOf([], fields, { document_access: 'link', attach_document: false });
  expect(sent).toEqual([{ key: 'city', signer: 'sender', type: 'text' }]);
});
