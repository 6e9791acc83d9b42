import { describe, expect, it } from 'vitest';
import { csvText, hasLostLetters, readCsv } from './csv-file.ts';

describe('the text of a CSV file', () => {
  it('is read in UTF-8 alone', async () => {
    expect(await csvText(new File(['Núñez'], 'a.csv'))).toBe('Núñez');
    expect(await csvText(new File([new Uint8Array([0x4e, 0xfa, 0xf1, 0x65, 0x7a])], 'ansi.csv'))).toBeNull();
  });

  it('has lost letters where it was read in another one', () => {
    expect(hasLostLetters('N\uFFFDez')).toBe(true);
    expect(hasLostLetters('Núñez')).toBe(false);
  });

  it.each([
    ['a\nb\n', []],
    ['a\r\nb\r\nN\uFFFDez', [{ fault: 'letters', line: 3 }]],
    ['a\n"b\n', [{ fault: 'unclosed', line: 2 }]],
    [
      '\uFFFD\n"b\n',
      [
        { fault: 'letters', line: 1 },
        { fault: 'unclosed', line: 2 },
      ],
    ],
  ] as const)('says what is wrong with it as a whole: %j', (text, faults) => {
    expect(readCsv(text).faults).toEqual(faults);
  });
});
