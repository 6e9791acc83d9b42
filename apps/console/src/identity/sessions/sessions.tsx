import { Button } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { useRecords } from '../../member/queries.ts';
import { Filter } from '../../parts/filter.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { SessionStatus } from '../shared/session-parts.tsx';
import { SESSIONS, type SessionRow } from '../shared/use-session.ts';
import { useIdentityText } from '../text/language.ts';
import { LinkDialog } from './link-dialog.tsx';

const route = getRouteApi('/identity/sessions');

/** Every session. The filter is in the address, but for the reference: it may name a person. */
export function Sessions() {
  const { text, words, clock } = useIdentityText();
  const may = useMay();
  const { status, subject_id } = route.useSearch();
  const navigate = route.useNavigate();
  const [reference, setReference] = useState('');
  const [creates, setCreates] = useState(false);
  const query = useRecords([...SESSIONS, 'list', { status, subject_id, reference }], ({ platform }, cursor) =>
    platform.GET('/v1/flows/sessions', {
      params: {
        query: {
          ...{ cursor, limit: 100, subject_id },
          status: status as SessionRow['status'],
          external_ref: reference === '' ? undefined : reference,
        },
      },
    }),
  );
  return (
    <>
      <PageHead title={words.session.title} lead={words.session.lead}>
        {may('identity:write') && (
          <Button look="primary" onPress={() => setCreates(true)}>
            {words.link.create}
          </Button>
        )}
      </PageHead>
      <Filter
        values={{ ...(status !== undefined && { status }), ...(reference !== '' && { reference }) }}
        onValues={({ reference: searched = '', ...values }) => {
          setReference(searched);
          void navigate({ search: { ...values, ...(subject_id !== undefined && { subject_id }) } });
        }}
        fields={[
          {
            name: 'reference',
            label: words.session.reference,
            placeholder: words.session.referenceHint,
            maxLength: 200,
          },
          {
            name: 'status',
            label: words.session.status,
            options: [['', text.all], ...Object.entries(words.statuses)],
          },
        ]}
      />
      {subject_id !== undefined && (
        <p className="help">
          {words.session.ofSubject}{' '}
          <Link to="/identity/sessions" search={{}}>
            {words.session.everySession}
          </Link>
        </p>
      )}
      <RecordTable
        caption={words.session.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.session.empty}
        columns={[
          {
            title: words.session.id,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ id }) => (
              <Link to="/identity/sessions/$id" params={{ id }}>
                <code>{id}</code>
              </Link>
            ),
          },
          { title: words.session.reference, wide: true, of: ({ external_ref }) => external_ref ?? '–' },
          { title: words.session.status, of: (row) => <SessionStatus of={row} /> },
          {
            title: words.session.step,
            of: ({ current_step: step }) => (step === null ? '–' : words.steps[step]),
          },
          { title: words.session.opened, of: ({ created_at }) => clock(created_at) },
        ]}
      />
      {creates && <LinkDialog onClose={() => setCreates(false)} />}
    </>
  );
}
