import { expect, it } from 'vitest';
import { initialLocale } from './envelope-locale.ts';

it('an envelope begins in the language that was chosen last, else in the tenant’s, whatever the reader reads', () => {
  expect(initialLocale('en', 'es-CO', false)).toBe('en');
  expect(initialLocale(null, 'en', false)).toBe('en');
  expect(initialLocale(null, 'es-CO', false)).toBe('es-CO');
  expect(initialLocale(null, undefined, false)).toBeNull();
  expect(initialLocale(null, undefined, true)).toBe('es-CO');
});
