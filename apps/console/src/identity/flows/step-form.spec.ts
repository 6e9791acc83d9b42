import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { missingThreshold, NO_FAULTS, stepFaultsOf, stepsOf } from './step-form.ts';
import { SPANISH } from './text/spanish.ts';

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

describe('what the API finds wrong with the steps', () => {
  const texts = SPANISH.faults;
  const faultsOf = (...errors: [pointer: string, code: string][]) => {
    const document = { errors: errors.map(([pointer, code]) => ({ pointer, code, detail: `In English: ${code}` })) };
    const error = new ApiError({ status: 400, waitSeconds: null, document });
    return stepFaultsOf(error, ['consent', 'face_match'], { texts, isEnglish: false });
  };

  it.each([
    ['/steps/1/config/max_attempts', 'out_of_range', { fields: { 'face_match.max_attempts': texts.not_allowed } }],
    ['/steps/1/config/thresholds', 'x', { fields: { 'face_match.accept': texts.not_allowed } }],
    ['/steps/0/required', 'x', { fields: { 'consent.required': texts.required_needed } }],
    ['/steps/1', 'wrong_order', { steps: { face_match: texts.wrong_order } }],
    ['/steps/1/step_type', 'not_unique', { steps: { face_match: texts.not_unique } }],
    ['/steps/0/step_type', 'x', { steps: { consent: texts.other } }],
    ['/steps', 'x', { all: texts.steps }],
    ['/steps/7', 'x', { all: texts.steps }],
  ])('at %s (%s) is shown where it is', (pointer, code, shown) => {
    expect(faultsOf([pointer, code])).toEqual({ ...NO_FAULTS, ...shown });
  });

  it('is shown all at once, to readers of English in the words of the API; no other failure is a fault', () => {
    const faults = faultsOf(['/steps/0/required', 'x'], ['/steps/1', 'wrong_order']);
    expect([Object.keys(faults.fields), Object.keys(faults.steps)]).toEqual([['consent.required'], ['face_match']]);
    const document = { errors: [{ pointer: '/steps/0/config/purposes', code: 'x', detail: 'Must list some.' }] };
    const error = new ApiError({ status: 400, waitSeconds: null, document });
    expect(stepFaultsOf(error, ['consent'], { texts, isEnglish: true }).fields).toEqual({
      'consent.purposes': 'Must list some.',
    });
    expect(stepFaultsOf(new Error('x'), ['consent'], { texts, isEnglish: true })).toEqual(NO_FAULTS);
  });
});
