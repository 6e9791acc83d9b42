import { Field } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { codeOf, isPdf } from '../code.ts';
import { PdfField } from '../pdf-field.tsx';
import { useSigningText } from '../text/language.ts';
import { CIRCUITS } from './use-circuit.ts';
import { useUpload } from './use-upload.ts';

/** A draft with its PDF. When the PDF is refused, the draft is kept, and another PDF goes into the same one. */
export function NewCircuitDialog({ onClose }: { onClose: () => void }) {
  const { words } = useSigningText();
  const navigate = useNavigate();
  const call = useCall();
  const upload = useUpload();
  const draft = useRef<{ id: string; of: string } | null>(null);
  return (
    <FormDialog
      title={words.circuits.create}
      lead={words.circuits.createLead}
      submit={words.circuits.create}
      problems={words.codeProblems}
      onClose={onClose}
      onSubmit={async (form) => {
        const pdf = form.get('pdf');
        if (!isPdf(pdf)) return 'open';
        const name = String(form.get('name')).trim();
        const body = { name, code: String(form.get('code')).trim() || codeOf(name) };
        const of = JSON.stringify(body);
        if (draft.current?.of !== of) {
          const { id } = await call(({ signing }) => signing.POST('/v1/circuits', { body }), CIRCUITS);
          draft.current = { id, of };
        }
        const { id } = draft.current;
        await upload(id, pdf);
        await navigate({ to: '/signing/circuits/$id', params: { id } });
        return undefined;
      }}
    >
      <Field name="name" label={words.name} hint={words.circuits.nameHint} maxLength={200} required />
      <Field name="code" label={words.code} hint={words.codeHint} maxLength={64} />
      <PdfField />
    </FormDialog>
  );
}
