import { Field, useAnnounce } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { SESSIONS } from '../shared/use-session.ts';
import { useIdentityText } from '../text/language.ts';
import { SUBJECTS } from './subject-parts.tsx';

/** Erases a subject, once however often it is called, and shows the receipt. */
export function useErasure(id: string): () => Promise<void> {
  const call = useCall();
  const navigate = useNavigate();
  return async () => {
    const params = { path: { id } };
    const { receipt_id } = await call(
      ({ platform }) => platform.DELETE('/v1/kyc/subjects/{id}', { params }),
      SUBJECTS,
      SESSIONS,
    );
    await navigate({ to: '/identity/erasures/$id', params: { id: receipt_id } });
  };
}

/** Asks for a word, so that nobody erases a person by a slip. */
export function EraseDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { words } = useIdentityText();
  const announce = useAnnounce();
  const erase = useErasure(id);
  return (
    <FormDialog
      title={words.erasure.erase}
      lead={words.erasure.lead}
      submit={words.erasure.erase}
      dangerous
      onClose={onClose}
      onSubmit={async () => {
        await erase();
        announce(words.erasure.done);
      }}
    >
      <Field
        name="word"
        label={words.erasure.confirm}
        hint={words.erasure.wordHint}
        pattern={words.erasure.word}
        maxLength={10}
        required
      />
    </FormDialog>
  );
}
