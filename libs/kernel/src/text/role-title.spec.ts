import { expect, it } from 'vitest';
import { roleTitle } from './role-title.ts';

it.each([
  ['firmante1', 'es-CO', 'Firmante 1'],
  ['firmante12', 'en', 'Signer 12'],
  ['signer2', 'es-CO', 'Firmante 2'],
  ['co-borrower_2', 'en', 'Co borrower 2'],
  ['cliente1', 'es-CO', 'Cliente1'],
] as const)('shows the role %s in %s as %s', (role, locale, title) => {
  expect(roleTitle(role, locale)).toBe(title);
});
