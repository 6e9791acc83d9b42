import { Field, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useListText } from '../text/language.ts';
import { Faults } from './faults.tsx';
import { COLUMNS, type InternalRow, textOf } from './rows.ts';
import { type Preview, type ReadList, useInternalChange } from './use-internal-list.ts';

interface AddDialogProps {
  read: ReadList;
  onClose: () => void;
}

/** Adds an entry to the list as it is now. What cannot be read of it is shown, and nothing is stored. */
export function AddDialog({ read, onClose }: AddDialogProps) {
  const { words } = useListText();
  const { preview, put } = useInternalChange();
  const announce = useAnnounce();
  const [faults, setFaults] = useState<Preview['faults']>([]);
  return (
    <FormDialog
      title={words.internal.add}
      lead={words.internal.addLead}
      submit={words.internal.add}
      problems={words.internal.problems}
      onClose={onClose}
      onSubmit={async (form) => {
        const cells = COLUMNS.map((column) => [column, String(form.get(column) ?? '').trim()] as const);
        const text = textOf([...read.rows, Object.fromEntries(cells) as InternalRow]);
        const found = await preview(text);
        setFaults(found.faults);
        if (!found.valid) return 'open';
        await put(text, read.etag);
        announce(words.internal.done);
      }}
    >
      {faults.length > 0 && <Faults faults={faults} />}
      <Field name="id" label={words.internal.columns.id} hint={words.internal.idHint} maxLength={512} required />
      <Field name="name" label={words.name} maxLength={1000} required />
      <Field
        name="kind"
        label={words.members.kind}
        options={Object.entries(words.kinds).map(([kind, text]) => [kind, text] as const)}
      />
      <Field
        name="identifiers"
        label={words.members.identifiers}
        hint={words.internal.identifiersHint}
        maxLength={1000}
      />
      <Field name="birth_date" label={words.members.birth_dates} hint={words.internal.birthHint} maxLength={200} />
      <Field name="countries" label={words.members.countries} hint={words.internal.countriesHint} maxLength={200} />
      <Field name="aliases" label={words.members.aliases} hint={words.internal.severalHint} maxLength={2000} />
      <Field name="programmes" label={words.members.programmes} hint={words.internal.programmesHint} maxLength={2000} />
    </FormDialog>
  );
}

interface RemoveDialogProps {
  read: ReadList;
  row: InternalRow;
  onClose: () => void;
}

export function RemoveDialog({ read, row, onClose }: RemoveDialogProps) {
  const { words } = useListText();
  const { put } = useInternalChange();
  const announce = useAnnounce();
  return (
    <FormDialog
      title={words.internal.removeOf(row.name)}
      lead={words.internal.removeLead}
      submit={words.internal.remove}
      dangerous
      problems={words.internal.problems}
      onClose={onClose}
      onSubmit={async () => {
        await put(textOf(read.rows.filter(({ id }) => id !== row.id)), read.etag);
        announce(words.internal.done);
      }}
    />
  );
}
