import { expect, it } from 'vitest';
import { fileName } from './file-name.ts';

it.each([
  ['Contrato de arriendo: apto. 301', 'Contrato de arriendo apto 301.pdf'],
  ['Pagaré 12/2026', 'Pagaré 12 2026.pdf'],
])('a file is named after the title %s', (title, name) => {
  expect(fileName(title)).toBe(name);
});
