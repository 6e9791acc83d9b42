import { expect, it } from 'vitest';
import { judgeComparison } from './judge-comparison.ts';

const thresholds = { accept: 0.85, review: 0.02 };
const seen = { portraitFound: true, selfieReasons: [], score: 0.9 };

it.each([
  { name: 'passes from the threshold on', evidence: { ...seen, score: 0.85 }, outcome: 'pass', reasons: [] },
  { name: 'asks a person below it', evidence: { ...seen, score: 0.8499 }, outcome: 'review', reasons: ['doubtful_likeness'] }, // prettier-ignore
  { name: 'asks a person down to the second threshold', evidence: { ...seen, score: 0.02 }, outcome: 'review', reasons: ['doubtful_likeness'] }, // prettier-ignore
  { name: 'rejects below the second threshold', evidence: { ...seen, score: 0.0199 }, outcome: 'reject', reasons: ['other_person'] }, // prettier-ignore
  { name: 'asks for another selfie before anything is judged', evidence: { ...seen, score: 0.001, selfieReasons: ['blurred' as const] }, outcome: 'retry', reasons: ['blurred'] }, // prettier-ignore
  { name: 'has a person look at a document without a portrait', evidence: { portraitFound: false, selfieReasons: [], score: null }, outcome: 'review', reasons: ['no_portrait'] }, // prettier-ignore
])('a comparison $name', ({ evidence, outcome, reasons }) => {
  expect(judgeComparison(evidence, thresholds)).toEqual({ outcome, reasons });
});
