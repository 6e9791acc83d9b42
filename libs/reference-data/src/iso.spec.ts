import { describe, expect, it } from 'vitest';
import { countries, isCountry, isCurrency } from './iso.ts';

describe('ISO tables', () => {
  it('know the 249 assigned countries, with names in both languages', () => {
    const all = countries();
    expect(all).toHaveLength(249);
    expect(all.filter(({ code, es, en }) => es === code || en === code)).toEqual([]);
    expect(all.find(({ code }) => code === 'DE')).toEqual({ code: 'DE', es: 'Alemania', en: 'Germany' });
  });

  it('know assigned codes in upper case only', () => {
    expect(['CO', 'US', 'KP', 'AX'].map(isCountry)).toEqual([true, true, true, true]);
    expect(['co', 'UK', 'XK', 'EU', 'AN', 'COL', '', '__proto__'].filter(isCountry)).toEqual([]);
    expect(['COP', 'USD', 'EUR', 'VED', 'COU'].map(isCurrency)).toEqual([true, true, true, true, true]);
    expect(['cop', 'XXX', 'XTS', 'XAU', 'DEM', 'BGN', 'HRK', '', 'constructor'].filter(isCurrency)).toEqual([]);
  });
});
