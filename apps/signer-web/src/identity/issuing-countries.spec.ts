import { expect, it } from 'vitest';
import { issuingCountries } from './issuing-countries.ts';

it('lists the 249 countries of ISO 3166-1 by name', () => {
  const listed = issuingCountries('es-CO');
  expect(listed).toHaveLength(249);
  expect(listed.find(({ code }) => code === 'CO')?.name).toBe('Colombia');
  expect(issuingCountries('en').find(({ code }) => code === 'DE')?.name).toBe('Germany');
});
