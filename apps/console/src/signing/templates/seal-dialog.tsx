import { PRICE } from '@constancia/contracts/prices';
import { Field, useAnnounce } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import type { TemplateRow } from './template-fields.ts';
import { useSigningText } from '../text/language.ts';
import { DOCUMENTS } from '../documents/use-document.ts';

/** As the API limits it. */
const LONGEST_TEXT = 2_000;
const LONGEST_REFERENCE = 200;
/** The names of the fields are the paths of their faults. */
const DATA = 'merge_data/';

/** Asks for the texts of a template and seals a document with them. */
export function SealDialog({ template, onClose }: { template: TemplateRow; onClose: () => void }) {
  const { words, number } = useSigningText();
  const call = useCall();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const keys = new Map<string, boolean>(); // one field for a key that stands on several pages
  for (const { key, required } of template.placeholders) keys.set(key, keys.get(key) === true || required);
  return (
    <FormDialog
      title={words.documents.seal}
      lead={words.documents.sealLead(number(PRICE.signature))}
      submit={words.documents.seal}
      problems={{ 'state-conflict': words.documents.archived }}
      onClose={onClose}
      onSubmit={async (form, idempotencyKey) => {
        const texts = [...keys.keys()].map((key): [string, string] => [key, String(form.get(DATA + key)).trim()]);
        const body = {
          template_id: template.id,
          subject_ref: String(form.get('subject_ref')).trim(),
          merge_data: Object.fromEntries(texts.filter(([, value]) => value !== '')),
        };
        const params = { header: { 'Idempotency-Key': idempotencyKey } };
        const { id } = await call(({ signing }) => signing.POST('/v1/signatures', { params, body }), DOCUMENTS);
        announce(words.documents.accepted);
        await navigate({ to: '/signing/documents/$id', params: { id } });
      }}
    >
      <Field
        name="subject_ref"
        label={words.documents.reference}
        hint={words.documents.referenceHint}
        maxLength={LONGEST_REFERENCE}
        required
      />
      {[...keys].map(([key, required]) => (
        <Field key={key} name={DATA + key} label={key} maxLength={LONGEST_TEXT} required={required} />
      ))}
    </FormDialog>
  );
}
