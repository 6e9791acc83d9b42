import { isCountry } from '@constancia/reference-data';
import { expect, it } from 'vitest';
import { issuingCountries } from '../../apps/signer-web/src/identity/issuing-countries.ts';

it('lists the 249 countries that the service accepts, by name', () => {
  const listed = issuingCountries('es-CO');
  expect(listed.filter(({ code }) => !isCountry(code))).toEqual([]);
  expect(listed).toHaveLength(249);
  expect(listed.find(({ code }) => code === 'CO')?.name).toBe('Colombia');
  expect(issuingCountries('en').find(({ code }) => code === 'DE')?.name).toBe('Germany');
});
