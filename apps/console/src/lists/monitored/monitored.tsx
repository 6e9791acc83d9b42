import type { components } from '@constancia/sdk/generated/compliance';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DecisionState } from '../../matches/decision-state.tsx';
import { useRecords } from '../../member/queries.ts';
import { Filter } from '../../parts/filter.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { useListText } from '../text/language.ts';
import { MonitoringSwitch } from './monitoring-switch.tsx';

type Schemas = components['schemas'];

const route = getRouteApi('/lists/monitored');

/** Who is screened again when a list changes. The reference that is searched is not in the address. */
export function Monitored() {
  const { text, words, clock } = useListText();
  const { lang: _, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const [subjectRef, setSubjectRef] = useState('');
  const { subject_type, validation_code, order } = filter;
  const query = useRecords(['monitored', filter, subjectRef], ({ compliance }, cursor) =>
    compliance.GET('/v1/monitored-subjects', {
      params: {
        query: {
          cursor,
          limit: 100,
          subject_type: subject_type as Schemas['SubjectType'],
          validation_code,
          order: order === 'asc' ? 'asc' : 'desc',
          subject_ref: subjectRef === '' ? undefined : subjectRef,
        },
      },
    }),
  );
  return (
    <>
      <PageHead title={words.monitored.title} lead={words.monitored.lead} />
      <MonitoringSwitch />
      <Filter
        values={{ ...filter, ...(subjectRef !== '' && { subject_ref: subjectRef }) }}
        onValues={({ subject_ref: reference = '', ...values }) => {
          setSubjectRef(reference);
          void navigate({ search: values });
        }}
        fields={[
          { name: 'subject_ref', label: words.reference, placeholder: words.referenceSearch, maxLength: 200 },
          {
            name: 'subject_type',
            label: words.subjectType,
            options: [['', text.all], ...Object.entries(words.subjectTypes)],
          },
          { name: 'validation_code', label: words.validation, maxLength: 64 },
          { name: 'order', label: words.monitored.order, options: Object.entries(words.monitored.orders) },
        ]}
      />
      <RecordTable
        caption={words.monitored.title}
        query={query}
        keyOf={(row) => `${row.validation_code} ${row.subject_type} ${row.subject_ref}`}
        empty={words.monitored.empty}
        columns={[
          {
            title: words.name,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ subject_name, subject_ref, screening_id: id }) => (
              <span>
                <Link to="/screenings/$id" params={{ id }}>
                  {subject_name ?? words.unnamed}
                </Link>{' '}
                <small>{subject_ref}</small>
              </span>
            ),
          },
          { title: words.monitored.last, of: (row) => <DecisionState of={row.decision} />, width: '8rem' },
          { title: words.list, of: ({ list_hits }) => list_hits.map((code) => words.lists[code]).join(', ') || '–' },
          { title: words.validation, wide: true, of: (row) => row.validation_code },
          { title: words.monitored.since, of: (row) => clock(row.monitored_since) },
          { title: words.monitored.screened, of: (row) => clock(row.screened_at) },
          {
            title: words.monitored.rescreened,
            of: ({ rescreened_at: at }) => (at === null ? words.monitored.never : clock(at)),
          },
          {
            title: words.monitored.case,
            width: '6rem',
            of: ({ open_case_id: id }) =>
              id === null ? (
                '–'
              ) : (
                <Link to="/cases/$id" params={{ id }}>
                  {words.monitored.openCase}
                </Link>
              ),
          },
        ]}
      />
    </>
  );
}
