import { Button } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { useRecords } from '../../member/queries.ts';
import { Filter } from '../../parts/filter.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { useSigningText } from '../text/language.ts';
import type { CircuitRow } from './circuit-fields.ts';
import { CircuitStatus } from './circuit-status.tsx';
import { NewCircuitDialog } from './new-circuit-dialog.tsx';
import { CIRCUITS } from './use-circuit.ts';

const route = getRouteApi('/signing/circuits');

/** Circuits: documents with their signers and fields, every version. */
export function Circuits() {
  const { text, words, number, clock } = useSigningText();
  const may = useMay();
  const navigate = route.useNavigate();
  const { lang: _, ...filter } = route.useSearch();
  const [creating, setCreating] = useState(false);
  const query = useRecords([...CIRCUITS, 'list', filter], ({ signing }, cursor) =>
    signing.GET('/v1/circuits', {
      params: { query: { cursor, limit: 100, status: filter.status as CircuitRow['status'], code: filter.code } },
    }),
  );
  return (
    <>
      <PageHead title={words.circuits.title} lead={words.circuits.lead}>
        {may('signing:write') && (
          <Button look="primary" onPress={() => setCreating(true)}>
            {words.circuits.create}
          </Button>
        )}
      </PageHead>
      <Filter
        values={filter}
        onValues={(values) => void navigate({ search: values })}
        fields={[
          {
            name: 'status',
            label: words.circuits.status,
            options: [['', text.all], ...Object.entries(words.circuits.statuses)],
          },
          { name: 'code', label: words.code, maxLength: 64 },
        ]}
      />
      <RecordTable
        caption={words.circuits.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.circuits.empty}
        columns={[
          {
            title: words.name,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ id, name }) => (
              <Link to="/signing/circuits/$id" params={{ id }}>
                {name}
              </Link>
            ),
          },
          { title: words.circuits.status, of: (circuit) => <CircuitStatus of={circuit} /> },
          { title: words.circuits.version, width: '5rem', of: ({ version }) => number(version) },
          { title: words.circuits.signers, width: '6rem', of: ({ signers }) => number(signers.length) },
          { title: words.code, wide: true, of: ({ code }) => <code>{code}</code> },
          { title: words.created, of: ({ created_at: at }) => clock(at) },
        ]}
      />
      {creating && <NewCircuitDialog onClose={() => setCreating(false)} />}
    </>
  );
}
