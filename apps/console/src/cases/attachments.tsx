import { Button, Table, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { useCall } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useAction } from '../parts/use-action.ts';
import { AttachDialog } from './attach-dialog.tsx';
import { endingOf } from './attached-file.ts';
import type { Dossier } from './case-parts.tsx';
import { useCaseText } from './text/language.ts';

type Attachment = Dossier['attachments'][number];

/** Digits of a digest that a person compares at a glance; the whole one is its title. */
const SHOWN_DIGITS = 12;

/** The files that the decision rests on, and a way to add one for who may. */
export function Attachments({ of: { id, attachments, allowed_actions: allowed } }: { of: Dossier }) {
  const { words } = useCaseText();
  const [attaching, setAttaching] = useState(false);
  return (
    <section>
      <div className="page-head">
        <h2>{words.attachments.title}</h2>
        {allowed.includes('attach') && <Button onPress={() => setAttaching(true)}>{words.actions.attach}</Button>}
      </div>
      {attachments.length === 0 ? <p>{words.attachments.none}</p> : <Files {...{ id, attachments }} />}
      {attaching && <AttachDialog caseId={id} onClose={() => setAttaching(false)} />}
    </section>
  );
}

function Files({ id, attachments }: Pick<Dossier, 'id' | 'attachments'>) {
  const { words, locale, clock } = useCaseText();
  const { busy, error, run } = useAction();
  const call = useCall();
  const announce = useAnnounce();
  const download = (file: Attachment): Promise<void> =>
    run(file.id, async () => {
      const params = { path: { id, attachment_id: file.id } };
      const bytes = await call(({ compliance }) =>
        compliance.GET('/v1/cases/{id}/attachments/{attachment_id}', { params, parseAs: 'blob' }),
      );
      saveFile(`${words.attachments.saved}-${attachments.indexOf(file) + 1}${endingOf(file.media_type)}`, bytes);
      announce(words.attachments.downloaded);
    });
  return (
    <>
      {error !== null && <Failure error={error} />}
      <Table
        caption={words.attachments.title}
        rows={attachments}
        keyOf={(file) => file.id}
        columns={[
          { title: words.attachments.name, wide: true, of: ({ name }) => name },
          { title: words.attachments.type, of: ({ media_type }) => words.attachments.types[media_type] },
          { title: words.attachments.size, of: ({ size_bytes }) => sizeIn(locale, size_bytes) },
          { title: words.attachments.by, of: ({ attached_by }) => attached_by },
          { title: words.attachments.at, of: ({ attached_at }) => clock(attached_at) },
          {
            title: words.attachments.hash,
            of: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, SHOWN_DIGITS)}…</code>,
          },
          {
            title: words.attachments.download,
            of: (file) => (
              <Button
                busy={busy === file.id}
                label={`${words.attachments.download}: ${file.name}`}
                onPress={() => void download(file)}
              >
                {words.attachments.download}
              </Button>
            ),
          },
        ]}
      />
    </>
  );
}

/** In kilobytes, or megabytes. */
function sizeIn(locale: string, bytes: number): string {
  const isLarge = bytes >= 1_000_000;
  const unit = isLarge ? 'megabyte' : 'kilobyte';
  const value = bytes / (isLarge ? 1_000_000 : 1_000);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
