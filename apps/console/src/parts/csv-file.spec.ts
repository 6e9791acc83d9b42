import { describe, expect, it } from 'vitest';
import { csvText, hasLostLetters } from './csv-file.ts';

describe('the text of a CSV file', () => {
  it('is read in UTF-8 alone', async () => {
    expect(await csvText(new File(['Núñez'], 'a.csv'))).toBe('Núñez');
    expect(await csvText(new File([new Uint8Array([0x4e, 0xfa, 0xf1, 0x65, 0x7a])], 'ansi.csv'))).toBeNull();
  });

  it('has lost letters where it was read in another one', () => {
    expect(hasLostLetters('N\uFFFDez')).toBe(true);
    expect(hasLostLetters('Núñez')).toBe(false);
  });
});
