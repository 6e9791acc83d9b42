import { useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { rawBody } from '../api/raw-body.ts';
import { useCall } from '../member/queries.ts';
import { FileField } from '../parts/file-field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { ACCEPTED, faultIn, sentFile } from './attached-file.ts';
import { useCaseText } from './text/language.ts';

/** Attaches one file. It is about no version of the case: what somebody changes meanwhile does not matter to it. */
export function AttachDialog({ caseId: id, onClose }: { caseId: string; onClose: () => void }) {
  const { words } = useCaseText();
  const { attachments } = words;
  const announce = useAnnounce();
  const call = useCall();
  const [fault, setFault] = useState<string | null>(null);
  const faults: Readonly<Record<string, string>> = attachments.faults;
  return (
    <FormDialog
      title={words.actions.attach}
      lead={attachments.lead}
      submit={words.actions.attach}
      problems={{
        'state-conflict': attachments.full,
        'payload-too-large': attachments.tooLarge,
        'unsupported-media-type': attachments.otherType,
      }}
      onClose={onClose}
      onSubmit={async (form, key) => {
        const file = form.get('file') as File;
        const sent = sentFile(file);
        setFault(typeof sent === 'string' ? attachments[sent] : null);
        if (typeof sent === 'string') return 'open';
        const header = { 'X-File-Name': sent.encodedName, 'Idempotency-Key': key };
        try {
          await call(
            ({ compliance }) =>
              compliance.POST('/v1/cases/{id}/attachments', {
                params: { path: { id }, header },
                ...rawBody(file, sent.type),
              }),
            ['cases'],
          );
        } catch (error) {
          const code = faultIn(error);
          if (code === null) throw error;
          setFault(faults[code] ?? attachments.faults.other);
          return 'open';
        }
        announce(attachments.done);
        return undefined;
      }}
    >
      <FileField
        name="file"
        label={attachments.file}
        hint={attachments.fileHint}
        accept={ACCEPTED}
        required
        fault={fault}
      />
    </FormDialog>
  );
}
