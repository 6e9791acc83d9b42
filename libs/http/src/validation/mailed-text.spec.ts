import { describe, expect, it } from 'vitest';
import { mailedTextProblem } from './mailed-text.ts';

describe('a text that is mailed in a tenant’s name', () => {
  it.each([
    'Notaría Quinta de Medellín S.A.S.',
    'Ana María Ñungo Peña',
    'Ana Mari\u0301a N\u0303ungo', // the same with combining marks
    "O’Connor & D'Ángelo, Łukasiewicz-Ibáñez",
    'Banco 2000 (3.ª sede) n.º 5',
    'Günther Weiß, Čapek, Nguyễn Thị Ánh',
    'Иван Петров',
    'Ελένη Παπαδοπούλου y Ana',
    '山田エミリ 김민준 ひらがな',
    'Contrato #417: 10 µm, 5 €',
    '',
  ])('may be %j', (text) => expect(mailedTextProblem(text)).toBeNull());

  it.each([
    ['a\nb', 'must be one line without control characters'],
    ['a\u0000b', 'must be one line without control characters'],
    ['a\u2028b', 'must be one line without control characters'],
    ['Ban\u200bco', 'must not have invisible format characters: remove U+200B'],
    ['\u202eocnaB', 'must not have invisible format characters: remove U+202E'],
    ['Ban\u00adco', 'must not have invisible format characters: remove U+00AD'],
    ['El B\u0430nco', 'must not mix scripts within a word: word 2 has Latin and Cyrillic letters'],
    ['Banc\u03bf', 'must not mix scripts within a word: word 1 has Latin and Greek letters'],
    ['Ба\u03bfк', 'must not mix scripts within a word: word 1 has Cyrillic and Greek letters'],
    ['B\u13dfnco', 'must not mix scripts within a word: word 1 has Latin and other letters'],
  ])('may not be %j', (text, problem) => expect(mailedTextProblem(text)).toBe(problem));

  it('may have several lines where lines are asked for, and nothing else more', () => {
    expect(mailedTextProblem('Por favor,\r\n\tantes del viernes.\n', { lines: true })).toBeNull();
    expect(mailedTextProblem('a\rb', { lines: true })).toContain('control characters');
    expect(mailedTextProblem('a\u0007b', { lines: true })).toContain('control characters');
    expect(mailedTextProblem('a\u200bb', { lines: true })).toContain('U+200B');
    expect(mailedTextProblem('uno\nB\u0430nco', { lines: true })).toContain('word 2');
  });
});
