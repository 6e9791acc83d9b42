import { Field, useAnnounce } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../member/queries.ts';
import { changesOf } from '../../parts/changes-of.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { type StoredRule, VALIDATIONS, type ValidationRow } from '../model/use-rules.ts';
import { useRuleText } from '../text/language.ts';

interface DialogProps {
  onClose: () => void;
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** A draft of a new code, or the next version of one. */
export function CreateDialog({ onClose }: DialogProps) {
  const { words } = useRuleText();
  const announce = useAnnounce();
  const call = useCall();
  const navigate = useNavigate();
  return (
    <FormDialog
      title={words.create}
      submit={words.create}
      onClose={onClose}
      onSubmit={async (form) => {
        const values = ['code', 'name', 'description'].map((name) => [name, textOf(form, name)] as const);
        const body = Object.fromEntries(values.filter(([, value]) => value !== ''));
        const { id } = await call(({ compliance }) => compliance.POST('/v1/validations', { body }), VALIDATIONS);
        announce(words.created);
        await navigate({ to: '/rules/$id', params: { id } });
      }}
    >
      <Field name="code" label={words.code} hint={words.codeHint} maxLength={64} placeholder="default" />
      <Field name="name" label={words.name} maxLength={120} />
      <Field name="description" label={words.description} lines={3} maxLength={2000} />
    </FormDialog>
  );
}

/** The words of a draft. */
export function EditDialog({ of: validation, onClose }: DialogProps & { of: ValidationRow }) {
  const { text, words } = useRuleText();
  const announce = useAnnounce();
  const call = useCall();
  return (
    <FormDialog
      title={words.edit}
      submit={text.save}
      onClose={onClose}
      onSubmit={async (form) => {
        const before = { name: validation.name, description: validation.description ?? '' };
        const body = changesOf({ name: textOf(form, 'name'), description: textOf(form, 'description') }, before);
        const params = { path: { id: validation.id } };
        await call(({ compliance }) => compliance.PATCH('/v1/validations/{id}', { params, body }), VALIDATIONS);
        announce(words.changed);
      }}
    >
      <Field name="name" label={words.name} maxLength={120} defaultValue={validation.name} required />
      <Field
        name="description"
        label={words.description}
        lines={3}
        maxLength={2000}
        defaultValue={validation.description ?? ''}
      />
    </FormDialog>
  );
}

/** The canonical rules that the draft lacks. */
export function SeedDialog({ of: { id }, onClose }: DialogProps & { of: ValidationRow }) {
  const { words, number } = useRuleText();
  const announce = useAnnounce();
  const call = useCall();
  return (
    <FormDialog
      title={words.seed}
      lead={words.seedLead}
      submit={words.seed}
      onClose={onClose}
      onSubmit={async (form) => {
        const body = { validation_id: id, subject_type: textOf(form, 'subject_type') as StoredRule['subject_type'] };
        const { added } = await call(
          ({ compliance }) => compliance.POST('/v1/rules/seed-defaults', { body }),
          VALIDATIONS,
        );
        announce(words.seeded(number(added)));
      }}
    >
      <Field
        name="subject_type"
        label={words.subject}
        options={(['both', 'natural', 'legal'] as const).map((type) => [type, words.subjects[type]] as const)}
      />
    </FormDialog>
  );
}

/** Removes the rule as it was shown. */
export function RemoveRuleDialog({ of: rule, onClose }: DialogProps & { of: StoredRule }) {
  const { words } = useRuleText();
  const announce = useAnnounce();
  const call = useCall();
  return (
    <FormDialog
      title={words.removeRule(rule.code)}
      lead={words.removeLead}
      submit={words.remove}
      dangerous
      onClose={onClose}
      onSubmit={async () => {
        const params = { path: { id: rule.validation_id, rule_id: rule.id }, header: { 'If-Match': rule.etag } };
        await call(
          ({ compliance }) => compliance.DELETE('/v1/validations/{id}/rules/{rule_id}', { params }),
          VALIDATIONS,
        );
        announce(words.removed);
      }}
    />
  );
}

/** Discards the draft as it was shown. */
export function DiscardDialog({ of: { id, etag }, onClose }: DialogProps & { of: ValidationRow }) {
  const { words } = useRuleText();
  const announce = useAnnounce();
  const call = useCall();
  const navigate = useNavigate();
  return (
    <FormDialog
      title={words.discard}
      lead={words.discardLead}
      submit={words.discard}
      dangerous
      problems={{ 'state-conflict': words.notDiscarded, 'validation-not-draft': words.notDiscarded }}
      onClose={onClose}
      onSubmit={async () => {
        const params = { path: { id }, header: { 'If-Match': etag } };
        await call(({ compliance }) => compliance.DELETE('/v1/validations/{id}', { params }));
        announce(words.discarded);
        await navigate({ to: '/rules' });
      }}
    />
  );
}
