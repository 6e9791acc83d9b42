import { Facts, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { TEXT_FILES } from '../../parts/csv/csv-file.ts';
import { FileField } from '../../parts/file-field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useListText } from '../text/language.ts';
import { Faults } from './faults.tsx';
import { listText, WRONG_ENCODING } from './list-file.ts';
import { type Preview, type ReadList, useInternalChange } from './use-internal-list.ts';

/** A file, what it would change, and of which version of the list. */
interface Checked {
  text: string;
  etag: string;
  preview: Preview;
}

interface UploadDialogProps {
  read: ReadList;
  onClose: () => void;
}

/** A file that replaces the list: first what is wrong with it or what it changes, then the change. */
export function UploadDialog({ read, onClose }: UploadDialogProps) {
  const { words } = useListText();
  const { preview } = useInternalChange();
  const [checked, setChecked] = useState<Checked | null>(null);
  if (checked?.preview.valid === true) return <ReplaceDialog {...{ checked, onClose }} />;
  return (
    <FormDialog
      key="check"
      title={words.internal.upload}
      lead={words.internal.uploadLead}
      submit={words.internal.check}
      onClose={onClose}
      onSubmit={async (form) => {
        const text = await listText(form.get('file') as File);
        const found = text === null ? WRONG_ENCODING : await preview(text);
        setChecked({ text: text ?? '', etag: read.etag, preview: found });
        return 'open';
      }}
    >
      {checked !== null && <Faults faults={checked.preview.faults} />}
      <FileField name="file" label={words.internal.file} hint={words.internal.fileHint} accept={TEXT_FILES} required />
    </FormDialog>
  );
}

function ReplaceDialog({ checked, onClose }: { checked: Checked; onClose: () => void }) {
  const { words, number } = useListText();
  const { put } = useInternalChange();
  const announce = useAnnounce();
  const { entries, added, changed, removed } = checked.preview;
  return (
    <FormDialog
      key="replace"
      title={words.internal.replaceTitle}
      lead={words.internal.replaceLead}
      submit={words.internal.replace}
      dangerous={removed > 0}
      problems={words.internal.uploadProblems}
      onClose={onClose}
      onSubmit={async () => {
        await put(checked.text, checked.etag);
        announce(words.internal.done);
      }}
    >
      <Facts
        pairs={[
          [words.entries, number(entries)],
          [words.changes.kinds.added, number(added)],
          [words.changes.kinds.changed, number(changed)],
          [words.changes.kinds.removed, number(removed)],
        ]}
      />
    </FormDialog>
  );
}
