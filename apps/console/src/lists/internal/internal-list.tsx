import { Button } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { knownRecords } from '../../parts/known-records.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { type RecordColumn, RecordTable } from '../../parts/record-table.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useListText } from '../text/language.ts';
import { AddDialog, RemoveDialog } from './entry-dialogs.tsx';
import type { InternalRow } from './rows.ts';
import { UploadDialog } from './upload-dialog.tsx';
import { useInternalList } from './use-internal-list.ts';

type Asked = { what: 'add' } | { what: 'upload' } | { what: 'remove'; row: InternalRow };

/** The list that the tenant keeps for itself. Every change is a new version of it. */
export function InternalList() {
  const { words } = useListText();
  const may = useMay();
  const [asked, setAsked] = useState<Asked | null>(null);
  const query = useInternalList();
  const read = query.data;
  const close = (): void => setAsked(null);
  return (
    <>
      <PageHead title={words.internal.title} lead={words.internal.lead}>
        {may('compliance:lists') && read !== undefined && (
          <>
            <Button look="primary" onPress={() => setAsked({ what: 'add' })}>
              {words.internal.add}
            </Button>
            <Button onPress={() => setAsked({ what: 'upload' })}>{words.internal.upload}</Button>
          </>
        )}
        {read !== undefined && read.rows.length > 0 && (
          <Button onPress={() => saveFile('internal.csv', new Blob([read.text], { type: 'text/csv' }))}>
            {words.internal.download}
          </Button>
        )}
        <Link to="/lists/versions" search={{ list: 'INTERNAL', own: 'true' }} className="button secondary">
          {words.versions.title}
        </Link>
      </PageHead>
      <Loaded query={query}>
        {({ rows }) => (
          <InternalRows
            rows={rows}
            onRemove={may('compliance:lists') ? (row) => setAsked({ what: 'remove', row }) : null}
          />
        )}
      </Loaded>
      {read !== undefined && asked?.what === 'add' && <AddDialog read={read} onClose={close} />}
      {read !== undefined && asked?.what === 'upload' && <UploadDialog read={read} onClose={close} />}
      {read !== undefined && asked?.what === 'remove' && <RemoveDialog read={read} row={asked.row} onClose={close} />}
    </>
  );
}

interface InternalRowsProps {
  rows: readonly InternalRow[];
  /** null: the member may not. */
  onRemove: ((row: InternalRow) => void) | null;
}

function InternalRows({ rows, onRemove }: InternalRowsProps) {
  const { words } = useListText();
  const kindOf = (kind: string): string => words.kinds[(kind || 'unknown') as keyof typeof words.kinds];
  const removing: RecordColumn<InternalRow> = {
    title: words.internal.action,
    width: '7rem',
    of: (row) => (
      <div className="row-actions">
        <Button look="quiet" label={words.internal.removeOf(row.name)} onPress={() => onRemove?.(row)}>
          {words.internal.remove}
        </Button>
      </div>
    ),
  };
  return (
    <RecordTable
      caption={words.internal.title}
      query={knownRecords(rows)}
      keyOf={({ id }) => id}
      empty={words.internal.empty}
      columns={[
        {
          title: words.name,
          wide: true,
          width: 'minmax(0, 1.5fr)',
          of: ({ name, id }) => (
            <span>
              <strong>{name}</strong> <small>{id}</small>
            </span>
          ),
        },
        { title: words.members.kind, of: ({ kind }) => kindOf(kind) },
        { title: words.members.identifiers, wide: true, of: ({ identifiers }) => identifiers || '–' },
        { title: words.members.birth_dates, wide: true, of: ({ birth_date }) => birth_date || '–' },
        { title: words.members.countries, of: ({ countries }) => countries || '–' },
        {
          title: words.members.aliases,
          wide: true,
          of: ({ aliases, weak_aliases: weak }) => [aliases, weak].filter(Boolean).join('; ') || '–',
        },
        ...(onRemove === null ? [] : [removing]),
      ]}
    />
  );
}
