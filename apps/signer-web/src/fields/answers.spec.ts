import { expect, it } from 'vitest';
import type { FieldType, SignField, SignState } from '../api/sign-state.ts';
import {
  answersIn,
  faultsOf,
  firstAnswers,
  initialsOf,
  outcomeOf,
  questionsOf,
  shownFields,
  shownQuestions,
  valuesOf,
} from './answers.ts';

const field = (key: string, type: FieldType, required = true): SignField => ({
  key,
  type,
  required,
  page: 1,
  x: 0,
  y: 0,
  width: 10,
  height: 10,
  label: null,
  value: null,
  visible_if: null,
  prefilled: null,
  locked: false,
});
const signer = { name: 'Ana María Ñáñez' } as SignState['signer'];
const now = new Date('2026-11-21T03:00:00Z');

it('initials are asked for once and sent to each of their places', () => {
  const questions = questionsOf([field('i1', 'initials', false), field('s', 'signature'), field('i2', 'initials')]);
  expect(questions).toMatchObject([{ key: 'i1', required: true }]);
  expect(valuesOf(questions, { i1: ' AM ' })).toEqual({ i1: 'AM', i2: 'AM' });
});

it('begins with what is known: the name, its initials, the day in Colombia', () => {
  const questions = questionsOf([
    field('n', 'name'),
    field('i', 'initials'),
    field('d', 'date'),
    field('t', 'text'),
    field('c', 'checkbox'),
  ]);
  const answers = firstAnswers(questions, signer, now);
  expect(answers).toEqual({ n: 'Ana María Ñáñez', i: 'AMÑ', d: '2026-11-20', t: '', c: false });
  expect(faultsOf(questions, answers)).toEqual({ t: 'missing', c: 'unticked' });
});

it('what is optional may stay empty and is not sent; a box left open is', () => {
  const questions = questionsOf([field('t', 'text', false), field('c', 'checkbox', false), field('d', 'date', false)]);
  const answers = { t: '  ', c: false, d: '' };
  expect(faultsOf(questions, answers)).toEqual({});
  expect(valuesOf(questions, answers)).toEqual({ c: false });
});

it('a name or date that is left out is what the service fills in', () => {
  const questions = questionsOf([field('n', 'name', false), field('d', 'date', false), field('t', 'text', false)]);
  const known = firstAnswers(questions, signer, now);
  const left = { n: ' ', d: '', t: '' };
  expect(questions.map((question) => outcomeOf(question, left, known))).toEqual(['Ana María Ñáñez', '2026-11-20', '']);
});

it('a date is complete or at fault', () => {
  const questions = questionsOf([field('d', 'date')]);
  expect(faultsOf(questions, { d: '2026-11' })).toEqual({ d: 'bad-date' });
  expect(faultsOf(questions, { d: '2026-11-21' })).toEqual({});
});

it('initials begin words, whatever their alphabet, and are no punctuation', () => {
  expect(initialsOf('josé luis  (pepe) pérez-gómez')).toBe('JLPG');
  expect(initialsOf('')).toBe('');
  expect(initialsOf('Ólafur Þór')).toBe('ÓÞ');
});

it('begins with what the sender suggests; a suggestion that is emptied is sent empty, a fixed one is not in a draft', () => {
  const city = { ...field('city', 'text', false), prefilled: 'Cali' };
  const loan = { ...field('loan', 'text'), prefilled: '417', locked: true };
  const questions = questionsOf([city, loan, field('note', 'text', false)]);
  const first = firstAnswers(questions, signer, now);
  expect(first).toEqual({ city: 'Cali', loan: '417', note: '' });
  expect(valuesOf(questions, { ...first, city: ' ' })).toEqual({ city: '', loan: '417' });
  expect(answersIn(questions, { city: 'Pasto', loan: '418' })).toEqual({ city: 'Pasto', note: '' });
});

it('asks and shows what the answers so far show, initials of a hidden place apart', () => {
  const married = { field: 'married', equals: true };
  const fields = [
    { ...field('i1', 'initials'), visible_if: married },
    field('i2', 'initials', false),
    field('married', 'checkbox', false),
    { ...field('spouse', 'text'), visible_if: married },
  ];
  const questions = questionsOf(fields);
  const shown = (answers: Record<string, string | boolean>) => shownFields(fields, questions, answers);
  const keys = (answers: Record<string, string | boolean>) => shown(answers).map(({ key }) => key);
  expect(keys({ married: true })).toEqual(['i1', 'i2', 'married', 'spouse']);
  expect(keys({ married: false })).toEqual(['i2', 'married']);
  const asked = shownQuestions(questions, shown({ married: false }));
  expect(asked.map(({ key, required }) => [key, required])).toEqual([['i1', false], ['married', false]]); // prettier-ignore
  expect(valuesOf(asked, { i1: 'AM', married: false, spouse: 'Luis' })).toEqual({ i2: 'AM', married: false });
});
