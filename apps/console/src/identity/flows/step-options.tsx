import { Field } from '@constancia/web';
import { Ticks } from '../../parts/ticks.tsx';
import { nameOf, type FlowStep } from './step-form.ts';
import { useFlowText } from './text/language.ts';

const DOCUMENT_TYPES = ['CC', 'CE', 'TI', 'PA', 'PPT'] as const;
const SCORE = '0|1|0?[.][0-9]+';

/** The controls of a step's options, filled in with what it has. */
export function StepOptions({ of: { step_type: step, required = true, config = {} } }: { of: FlowStep }) {
  const { words } = useFlowText();
  const { options, hints } = words;
  const textOf = (member: string): string => (config[member] === undefined ? '' : String(config[member]));
  const flag = (member: string, label: string, value: boolean) => (
    <Field
      name={nameOf(step, member)}
      label={label}
      options={[
        ['true', words.yes],
        ['false', words.no],
      ]}
      defaultValue={String(value)}
    />
  );
  const attempts = (
    <Field
      name={nameOf(step, 'max_attempts')}
      type="number"
      min={1}
      max={10}
      label={options.max_attempts}
      defaultValue={textOf('max_attempts') || '3'}
      required
    />
  );
  const choice = (member: keyof typeof options, texts: Record<string, string>, fallback: string) => (
    <Field
      name={nameOf(step, member)}
      label={options[member]}
      options={Object.entries(texts)}
      defaultValue={textOf(member) || fallback}
    />
  );
  const score = (member: 'accept' | 'review') => {
    const thresholds = config.thresholds as Record<string, number> | null | undefined;
    return (
      <Field
        name={nameOf(step, member)}
        label={options[member]}
        hint={hints.thresholds}
        pattern={SCORE}
        maxLength={8}
        defaultValue={thresholds ? String(thresholds[member]) : ''}
      />
    );
  };
  return (
    <>
      {flag('required', words.required, required)}
      {step === 'consent' && (
        <Field
          name={nameOf(step, 'purposes')}
          label={options.purposes}
          hint={hints.purposes}
          lines={3}
          defaultValue={((config.purposes as string[] | undefined) ?? []).join('\n')}
          required
        />
      )}
      {step === 'document_upload' && (
        <>
          <Ticks
            name={nameOf(step, 'document_types')}
            label={options.document_types}
            options={DOCUMENT_TYPES.map((type) => [type, type] as const)}
            ticked={(config.document_types as (typeof DOCUMENT_TYPES)[number][] | undefined) ?? DOCUMENT_TYPES}
          />
          {attempts}
          {flag('file_allowed', options.file_allowed, config.file_allowed !== false)}
        </>
      )}
      {step === 'face_match' && (
        <>
          {choice('liveness_mode', words.livenessModes, 'basic')}
          {choice('passive_liveness', words.passive, 'signal')}
          {attempts}
          {score('accept')}
          {score('review')}
          {flag('file_allowed', options.file_allowed, config.file_allowed === true)}
          {choice('reuse_requires_liveness', words.reuse, 'stale')}
        </>
      )}
      {step === 'sarlaft' && (
        <Field
          name={nameOf(step, 'validation_code')}
          label={options.validation_code}
          maxLength={64}
          defaultValue={textOf('validation_code') || 'default'}
          required
        />
      )}
    </>
  );
}
