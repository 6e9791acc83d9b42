import type { components } from '@constancia/sdk/generated/platform';
import { ApiError } from '../../api/api-error.ts';
import type { SPANISH } from './text/spanish.ts';

export type FlowView = components['schemas']['Flow'];
export type FlowStep = FlowView['steps'][number];
export type StepType = FlowStep['step_type'];

export const STEP_TYPES = ['consent', 'document_upload', 'face_match', 'sarlaft'] as const satisfies StepType[];

/** The name of a control: that of the step, and of the member of its config. */
export const nameOf = (step: StepType, member: string): string => `${step}.${member}`;

/** The steps in their order, as the form says them. */
export const stepsOf = (order: readonly StepType[], form: FormData): FlowStep[] =>
  order.map((step) => {
    const textOf = (member: string): string => String(form.get(nameOf(step, member)) ?? '').trim();
    return { step_type: step, required: textOf('required') === 'true', config: configOf(step, textOf, form) };
  });

function configOf(step: StepType, textOf: (member: string) => string, form: FormData): Record<string, unknown> {
  switch (step) {
    case 'consent':
      return { purposes: textOf('purposes').split(/\s+/).filter(Boolean) };
    case 'document_upload':
      return {
        document_types: form.getAll(nameOf(step, 'document_types')),
        max_attempts: Number(textOf('max_attempts')),
        file_allowed: textOf('file_allowed') === 'true',
      };
    case 'face_match': {
      const [accept, review] = [textOf('accept'), textOf('review')];
      return {
        liveness_mode: textOf('liveness_mode'),
        passive_liveness: textOf('passive_liveness'),
        max_attempts: Number(textOf('max_attempts')),
        thresholds: accept === '' && review === '' ? null : { accept: Number(accept), review: Number(review) },
        file_allowed: textOf('file_allowed') === 'true',
        reuse_requires_liveness: textOf('reuse_requires_liveness'),
      };
    }
    case 'sarlaft':
      return { validation_code: textOf('validation_code') };
  }
}

/** What the API found wrong: by the name of the control, and by the step as a whole. */
export interface StepFaults {
  fields: Record<string, string>;
  steps: Partial<Record<StepType, string>>;
  all: string | null;
}

export const NO_FAULTS: StepFaults = { fields: {}, steps: {}, all: null };

/** In the reader's words; of a value what the API says about it, for readers of English. */
export function stepFaultsOf(
  error: unknown,
  order: readonly StepType[],
  { texts, isEnglish }: { texts: typeof SPANISH.faults; isEnglish: boolean },
): StepFaults {
  const faults: StepFaults = { fields: {}, steps: {}, all: null };
  for (const { pointer, code, detail } of error instanceof ApiError ? error.faults : []) {
    const [, , at = '', part, member = ''] = pointer.split('/');
    const step = order[Number(at)];
    if (at === '' || step === undefined) faults.all = texts.steps;
    else if (part === 'config') faults.fields[nameOf(step, controlOf(member))] = isEnglish ? detail : texts.not_allowed;
    else if (part === 'required') faults.fields[nameOf(step, 'required')] = texts.required_needed;
    else if (code === 'wrong_order') faults.steps[step] = texts.wrong_order;
    else faults.steps[step] = code === 'not_unique' ? texts.not_unique : texts.other;
  }
  return faults;
}

const controlOf = (member: string): string => (member === 'thresholds' ? 'accept' : member);
