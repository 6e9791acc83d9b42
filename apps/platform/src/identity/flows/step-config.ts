import { PASSIVE_POLICIES } from '@constancia/contracts';
import type { FieldError } from '@constancia/problem-json';
import { PERSONAL_DOCUMENTS } from '@constancia/reference-data';
import {
  FILE_ALLOWED,
  type FlowStep,
  REUSE_POLICIES,
  STEP_TYPES,
  type StepConfigs,
  type StepType,
} from './step-types.ts';

const MAX_STEPS = 10;
const CODE = /^[a-z0-9_-]{1,64}$/;

/** One member of a step's config: what it is when left out, and what is wrong with a value, as a sentence. */
interface ConfigMember {
  fallback: unknown;
  problem(value: unknown): string | null;
}

const whole = (least: number, most: number, fallback: number): ConfigMember => ({
  fallback,
  problem: (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? null
      : `Must be a whole number from ${least} to ${most}.`,
});

const oneOf = (values: readonly string[], fallback: string): ConfigMember => ({
  fallback,
  problem: (value) => (values.includes(value as string) ? null : `Must be one of ${values.join(', ')}.`),
});

const someOf = (values: readonly string[]): ConfigMember => ({
  fallback: [...values],
  problem: (value) => {
    const fits = Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
    return fits && value.every((item) => values.includes(item as string))
      ? null
      : `Must list some of ${values.join(', ')}, each once.`;
  },
});

const flag = (fallback: boolean): ConfigMember => ({
  fallback,
  problem: (value) => (typeof value === 'boolean' ? null : 'Must be true or false.'),
});

const PURPOSES: ConfigMember = {
  fallback: ['identity_verification', 'sarlaft_screening'],
  problem: (value) => {
    const fits = Array.isArray(value) && value.length >= 1 && value.length <= 20;
    return fits && value.every((item) => typeof item === 'string' && CODE.test(item))
      ? null
      : 'Must list 1 to 20 purposes of 1 to 64 lower-case letters, digits, hyphens and underscores.';
  },
};

const THRESHOLDS: ConfigMember = {
  fallback: null,
  problem: (value) => {
    if (value === null) return null;
    const { accept, review, ...rest } = (typeof value === 'object' ? value : {}) as Record<string, unknown>;
    const score = (one: unknown): one is number => typeof one === 'number' && one >= 0 && one <= 1;
    const fits = score(accept) && score(review) && review <= accept && Object.keys(rest).length === 0;
    return fits ? null : 'Must be {accept, review}, scores from 0 to 1, review not above accept; or null.';
  },
};

/** Every member that a step of each type may be configured with. */
const STEP_CONFIGS: { [T in StepType]: Record<keyof Required<StepConfigs[T]>, ConfigMember> } = {
  consent: { purposes: PURPOSES },
  document_upload: {
    document_types: someOf(PERSONAL_DOCUMENTS),
    max_attempts: whole(1, 10, 3),
    file_allowed: flag(FILE_ALLOWED.document_upload),
  },
  face_match: {
    liveness_mode: oneOf(['basic', 'active'], 'basic'),
    max_attempts: whole(1, 10, 3),
    thresholds: THRESHOLDS,
    passive_liveness: oneOf(PASSIVE_POLICIES, 'signal'),
    file_allowed: flag(FILE_ALLOWED.face_match),
    reuse_requires_liveness: oneOf(REUSE_POLICIES, 'stale'),
  },
  sarlaft: {
    validation_code: {
      fallback: 'default',
      problem: (value) =>
        typeof value === 'string' && CODE.test(value)
          ? null
          : 'Use 1 to 64 lower-case letters, digits, hyphens and underscores.',
    },
  },
};

/**
 * What must come before what, and why. Consent comes before anything that is collected (Ley 1581); a face is compared with the
 * document's portrait; a screening needs the name that the document gave, and ends the flow, since a person may have to decide then.
 */
const NEEDS: { step: StepType; needs: StepType; detail: string }[] = [
  { step: 'document_upload', needs: 'consent', detail: 'Needs the step consent before it.' },
  { step: 'face_match', needs: 'document_upload', detail: 'Needs the step document_upload before it.' },
  { step: 'sarlaft', needs: 'document_upload', detail: 'Needs the step document_upload before it.' },
];

/** Steps as they are kept, defaults filled in, or everything that is wrong with them, at once. */
export function checkedSteps(given: unknown): { steps: FlowStep[] } | { errors: FieldError[] } {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_STEPS) {
    return {
      errors: [{ pointer: '/steps', code: 'wrong_type', detail: `Must be a list of 1 to ${MAX_STEPS} steps.` }],
    };
  }
  const errors: FieldError[] = [];
  const steps = given.map((step, at) => checkedStep(step, `/steps/${at}`, errors));
  const known = steps.map((step) => step?.step_type);
  known.forEach((type, at) => {
    if (type !== undefined) errors.push(...orderErrors(type, at, known, steps));
  });
  return errors.length > 0 ? { errors } : { steps: steps as FlowStep[] };
}

function checkedStep(given: unknown, pointer: string, errors: FieldError[]): FlowStep | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    errors.push({ pointer, code: 'wrong_type', detail: 'Must be an object.' });
    return undefined;
  }
  const { step_type, required = true, config = {}, ...rest } = given as Record<string, unknown>;
  errors.push(...unknownMembers(rest, pointer));
  if (typeof required !== 'boolean') {
    errors.push({ pointer: `${pointer}/required`, code: 'wrong_type', detail: 'Must be true or false.' });
  }
  if (!STEP_TYPES.includes(step_type as StepType)) {
    const detail = `Must be one of ${STEP_TYPES.join(', ')}.`;
    errors.push({
      pointer: `${pointer}/step_type`,
      code: step_type === undefined ? 'required' : 'not_allowed',
      detail,
    });
    return undefined;
  }
  const filled = checkedConfig(step_type as StepType, config, `${pointer}/config`, errors);
  return { step_type, required, config: filled } as FlowStep;
}

function checkedConfig(type: StepType, config: unknown, pointer: string, errors: FieldError[]): object {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    errors.push({ pointer, code: 'wrong_type', detail: 'Must be an object.' });
    return {};
  }
  const members = Object.entries(STEP_CONFIGS[type] as Record<string, ConfigMember>);
  const values = config as Record<string, unknown>;
  const unknown = Object.fromEntries(Object.entries(values).filter(([name]) => !members.some(([own]) => own === name)));
  errors.push(...unknownMembers(unknown, pointer));
  return Object.fromEntries(
    members.map(([name, member]) => {
      const value = values[name] === undefined ? member.fallback : values[name];
      const problem = member.problem(value);
      if (problem) errors.push({ pointer: `${pointer}/${name}`, code: 'not_allowed', detail: problem });
      return [name, value];
    }),
  );
}

function unknownMembers(rest: object, pointer: string): FieldError[] {
  return Object.keys(rest).map((name) => ({
    pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    code: 'unknown_member',
    detail: 'There is no such member: take it out.',
  }));
}

function orderErrors(
  type: StepType,
  at: number,
  known: (StepType | undefined)[],
  steps: (FlowStep | undefined)[],
): FieldError[] {
  const errors: FieldError[] = [];
  const pointer = `/steps/${at}`;
  if (known.indexOf(type) !== at) {
    errors.push({ pointer: `${pointer}/step_type`, code: 'not_unique', detail: 'A flow has each step once.' });
  }
  for (const { needs, detail } of NEEDS.filter(({ step }) => step === type)) {
    const before = known.indexOf(needs);
    if (before === -1 || before > at) errors.push({ pointer, code: 'wrong_order', detail });
    else if (steps[before]?.required === false) {
      const reason = `Must be required: ${type} needs it.`;
      errors.push({ pointer: `/steps/${before}/required`, code: 'not_allowed', detail: reason });
    }
  }
  if (type === 'sarlaft' && at !== known.length - 1) {
    errors.push({ pointer, code: 'wrong_order', detail: 'Must be the last step: a person may have to decide then.' });
  }
  return errors;
}
