import { describe, expect, it } from 'vitest';
import { defaultSteps } from './default-flow.ts';
import { checkedSteps } from './step-config.ts';

const faults = (steps: unknown): string[] => {
  const result = checkedSteps(steps);
  return 'errors' in result ? result.errors.map(({ pointer, code }) => `${pointer} ${code}`) : [];
};

describe('steps of a flow', () => {
  it('get the defaults of everything that is left out', () => {
    expect(defaultSteps()).toEqual([
      {
        step_type: 'consent',
        required: true,
        config: { purposes: ['identity_verification', 'sarlaft_screening'] },
      },
      {
        step_type: 'document_upload',
        required: true,
        config: { document_types: ['CC', 'CE', 'TI', 'PA', 'PPT'], max_attempts: 3, file_allowed: true },
      },
      {
        step_type: 'face_match',
        required: true,
        config: {
          liveness_mode: 'basic',
          max_attempts: 3,
          thresholds: null,
          passive_liveness: 'signal',
          file_allowed: false,
          reuse_requires_liveness: 'stale',
        },
      },
      { step_type: 'sarlaft', required: true, config: { validation_code: 'default' } },
    ]);
  });

  it('are answered with everything that is wrong at once', () => {
    const steps = [
      { step_type: 'consent', config: { purposes: [], colour: 'red' } },
      {
        step_type: 'document_upload',
        required: 'yes',
        config: { document_types: ['NIT'], max_attempts: 0 },
      },
      { step_type: 'face_match', config: { liveness_mode: 'none', thresholds: { accept: 0.4, review: 0.6 } } },
      { step_type: 'teleport' },
      { step_type: 'sarlaft', extra: 1 },
    ];
    expect(faults(steps)).toEqual([
      '/steps/0/config/colour unknown_member',
      '/steps/0/config/purposes not_allowed',
      '/steps/1/required wrong_type',
      '/steps/1/config/document_types not_allowed',
      '/steps/1/config/max_attempts not_allowed',
      '/steps/2/config/liveness_mode not_allowed',
      '/steps/2/config/thresholds not_allowed',
      '/steps/3/step_type not_allowed',
      '/steps/4/extra unknown_member',
    ]);
  });

  it.each([
    ['a screening that is not last', ['consent', 'document_upload', 'sarlaft', 'face_match'], '/steps/2 wrong_order'],
    ['a face before its document', ['consent', 'face_match', 'document_upload'], '/steps/1 wrong_order'],
    ['a document without consent', ['document_upload'], '/steps/0 wrong_order'],
    ['a step twice', ['consent', 'consent'], '/steps/1/step_type not_unique'],
  ])('refuse %s', (_, types, fault) => {
    expect(faults(types.map((step_type) => ({ step_type })))).toContain(fault);
  });

  it('cannot make a step optional that another one needs', () => {
    const steps = [
      { step_type: 'consent', required: false },
      { step_type: 'document_upload', required: false },
      { step_type: 'face_match', required: false },
    ];
    expect(faults(steps)).toEqual(['/steps/0/required not_allowed', '/steps/1/required not_allowed']);
  });

  it.each([[null], [{}], [[]], [[1, 'a', null]], [Array.from({ length: 11 }, () => ({ step_type: 'consent' }))]])(
    'refuse %j',
    (steps) => expect(faults(steps)).not.toEqual([]),
  );
});
