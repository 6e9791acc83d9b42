import { describe, expect, it } from 'vitest';
import { missingThreshold, stepsOf } from './step-form.ts';

const formOf = (accept: string, review: string): FormData => {
  const form = new FormData();
  form.set('face_match.accept', accept);
  form.set('face_match.review', review);
  return form;
};

describe('the thresholds of a face', () => {
  it.each([
    ['', '', null],
    ['0.99', '0,85', { accept: 0.99, review: 0.85 }],
    ['1', ',5', { accept: 1, review: 0.5 }],
  ])('%j and %j are sent as %j', (accept, review, thresholds) => {
    const form = formOf(accept, review);
    expect(missingThreshold(['face_match'], form)).toBeNull();
    expect(stepsOf(['face_match'], form)[0]?.config).toMatchObject({ thresholds });
  });

  it.each([
    ['0.99', ' ', 'face_match.review'],
    ['', '0.85', 'face_match.accept'],
  ])('%j and %j lack %s', (accept, review, missing) => {
    expect(missingThreshold(['face_match'], formOf(accept, review))).toBe(missing);
    expect(missingThreshold(['consent'], formOf(accept, review))).toBeNull();
  });
});
