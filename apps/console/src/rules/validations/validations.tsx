import { Button } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { useRecords } from '../../member/queries.ts';
import { Filter } from '../../parts/filter.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { VALIDATIONS, type ValidationRow } from '../model/use-rules.ts';
import { ValidationState } from '../parts/validation-state.tsx';
import { useRuleText } from '../text/language.ts';
import { CreateDialog } from './validation-dialogs.tsx';

const route = getRouteApi('/rules');

/** Every version of every validation, the newest first. */
export function Validations() {
  const { text, words, clock, number } = useRuleText();
  const may = useMay();
  const { lang: _, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const [creating, setCreating] = useState(false);
  const query = useRecords([...VALIDATIONS, filter], ({ compliance }, cursor) =>
    compliance.GET('/v1/validations', {
      params: {
        query: { cursor, limit: 100, code: filter.code, status: filter.status as ValidationRow['status'] | undefined },
      },
    }),
  );
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        {may('compliance:rules') && (
          <Button look="primary" onPress={() => setCreating(true)}>
            {words.create}
          </Button>
        )}
      </PageHead>
      <Filter
        values={filter}
        onValues={(values) => void navigate({ search: values })}
        fields={[
          { name: 'status', label: words.status, options: [['', text.all], ...Object.entries(words.statuses)] },
          { name: 'code', label: words.code, maxLength: 64 },
        ]}
      />
      <RecordTable
        caption={words.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.empty}
        columns={[
          {
            title: words.name,
            width: 'minmax(0, 2fr)',
            wide: true,
            of: ({ id, name }) => (
              <Link to="/rules/$id" params={{ id }}>
                {name}
              </Link>
            ),
          },
          { title: words.code, of: ({ code }) => <code>{code}</code>, wide: true },
          { title: words.version, of: ({ version }) => number(version), width: '5rem' },
          { title: words.status, of: (row) => <ValidationState of={row} />, width: '8rem' },
          { title: words.rules, of: ({ rules }) => number(rules), width: '5rem' },
          { title: words.updated, of: ({ updated_at }) => clock(updated_at) },
        ]}
      />
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  );
}
