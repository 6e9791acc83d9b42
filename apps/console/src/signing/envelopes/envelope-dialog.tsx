import { Field, useAnnounce } from '@constancia/web';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { SecretForm } from '../../parts/secret-form.tsx';
import { useSigningText } from '../text/language.ts';
import { type EnvelopeRow, useEnvelopeCall } from './use-envelope.ts';

/** What is asked about an envelope, or about one of its signers. */
export type Asked = { what: 'void' } | { what: 'remind' | 'rotate'; signer: string };

interface EnvelopeDialogProps {
  /** As it is now: it may have changed since the dialog was opened. */
  of: EnvelopeRow;
  asked: Asked;
  onClose: () => void;
}

export function EnvelopeDialog({ of: envelope, asked, onClose }: EnvelopeDialogProps) {
  const { words } = useSigningText();
  const announce = useAnnounce();
  const call = useEnvelopeCall();
  const { id, status, signers } = envelope;
  const problems = { 'state-conflict': words.envelopes.changed(words.envelopes.statuses[status]) };
  if (asked.what === 'void')
    return (
      <FormDialog
        title={words.envelopes.voidTitle}
        lead={words.envelopes.voidLead}
        submit={words.envelopes.void}
        dangerous
        problems={problems}
        onClose={onClose}
        onSubmit={async (form) => {
          const body = { reason: String(form.get('reason')).trim() };
          await call((signing) => signing.POST('/v1/envelopes/{id}/void', { params: { path: { id } }, body }));
          announce(words.envelopes.voided);
        }}
      >
        <Field
          name="reason"
          label={words.envelopes.reason}
          hint={words.envelopes.reasonHint}
          lines={3}
          maxLength={500}
          required
        />
      </FormDialog>
    );

  const signer = signers.find((one) => one.id === asked.signer);
  const who = signer?.name ?? signer?.email ?? '';
  const params = { path: { id, signer_id: asked.signer } };
  if (asked.what === 'remind')
    return (
      <FormDialog
        title={words.envelopes.remindOf(who)}
        lead={words.envelopes.remindLead}
        submit={words.envelopes.remind}
        problems={problems}
        onClose={onClose}
        onSubmit={async () => {
          await call((signing) => signing.POST('/v1/envelopes/{id}/signers/{signer_id}/remind', { params }));
          announce(words.envelopes.reminded);
        }}
      />
    );
  return (
    <SecretForm
      title={words.envelopes.rotateOf(who)}
      lead={words.envelopes.rotateLead}
      submit={words.envelopes.rotate}
      secretTitle={words.envelopes.rotated}
      problems={problems}
      onClose={onClose}
      onSubmit={async () => {
        const link = await call((signing) =>
          signing.POST('/v1/envelopes/{id}/signers/{signer_id}/rotate-token', { params }),
        );
        return link.sign_url;
      }}
    />
  );
}
