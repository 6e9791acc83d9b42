import { describe, expect, it } from 'vitest';
import { maskedName } from './masked-name.ts';

describe('maskedName', () => {
  it.each([
    ['María Peña', 'M••• P•••'],
    ['  Ana\tde la  Cruz ', 'A••• d••• l••• C•••'],
    ['E\u0301lodie', 'É•••'],
    ['𝒳𝓎', '𝒳•••'],
    ['J', 'J•••'],
    ['', ''],
  ])('%j → %j', (name, masked) => expect(maskedName(name)).toBe(masked));

  it('does not tell how long a word is', () => {
    expect(maskedName('Al')).toBe(maskedName('Alejandra'));
  });
});
