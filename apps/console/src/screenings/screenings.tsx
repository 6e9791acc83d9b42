import type { components } from '@constancia/sdk/generated/compliance';
import { Notice } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DecisionState } from '../matches/decision-state.tsx';
import { useMay } from '../member/member.tsx';
import { useRecord, useRecords } from '../member/queries.ts';
import { Filter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { SCREENINGS } from './query-keys.ts';
import { useScreeningText } from './text/language.ts';

type Schemas = components['schemas'];

const route = getRouteApi('/screenings');

/** Every screening, newest first. Its filter is in the address, but for the reference, which may be a document number. */
export function Screenings() {
  const { text, words, clock } = useScreeningText();
  const may = useMay();
  const { lang: _, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const [subjectRef, setSubjectRef] = useState('');
  const { decision, trigger, subject_type, validation_code } = filter;
  const query = useRecords([...SCREENINGS, filter, subjectRef], ({ compliance }, cursor) =>
    compliance.GET('/v1/screenings', {
      params: {
        query: {
          cursor,
          limit: 100,
          decision: decision as Schemas['Decision'],
          trigger: trigger as Schemas['ScreeningTrigger'],
          subject_type: subject_type as Schemas['SubjectType'],
          validation_code,
          subject_ref: subjectRef === '' ? undefined : subjectRef,
        },
      },
    }),
  );
  const newest = useRecord([...SCREENINGS, 'newest'], ({ compliance }) =>
    compliance.GET('/v1/screenings', { params: { query: { limit: 1 } } }),
  );
  const archived = newest.data?.archived_until ?? null;
  const choices = (texts: Record<string, string>, all = text.all): [string, string][] => [
    ['', all],
    ...Object.entries(texts),
  ];
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Link to="/screenings/batches" className="button secondary">
          {words.batch.list}
        </Link>
        {may('compliance:screen') && (
          <>
            <Link to="/screenings/dry-run" className="button primary">
              {words.dryRun.open}
            </Link>
            <Link to="/screenings/batch" className="button secondary">
              {words.batch.open}
            </Link>
          </>
        )}
      </PageHead>
      {archived !== null && <Notice tone="news">{words.archived(clock(archived))}</Notice>}
      <Filter
        values={{ ...filter, ...(subjectRef !== '' && { subject_ref: subjectRef }) }}
        onValues={({ subject_ref: reference = '', ...values }) => {
          setSubjectRef(reference);
          void navigate({ search: values });
        }}
        fields={[
          { name: 'subject_ref', label: words.reference, placeholder: words.referenceSearch, maxLength: 200 },
          { name: 'decision', label: words.decision, options: choices(words.severity, text.allFeminine) },
          { name: 'trigger', label: words.trigger, options: choices(words.triggers) },
          { name: 'subject_type', label: words.subjectType, options: choices(words.subjectTypes) },
          { name: 'validation_code', label: words.validation, maxLength: 64 },
        ]}
      />
      <RecordTable
        caption={words.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.empty}
        columns={[
          {
            title: words.reference,
            wide: true,
            width: 'minmax(0, 1.5fr)',
            of: ({ id, subject_ref }) => (
              <Link to="/screenings/$id" params={{ id }}>
                {subject_ref}
              </Link>
            ),
          },
          { title: words.decision, of: (row) => <DecisionState of={row.decision} />, width: '8rem' },
          { title: words.list, of: ({ list_hits }) => list_hits.map((code) => words.lists[code]).join(', ') || '–' },
          { title: words.trigger, of: (row) => words.triggers[row.trigger] },
          {
            title: words.validation,
            wide: true,
            of: (row) => words.version(row.validation_code, row.validation_version),
          },
          {
            title: words.case,
            width: '6rem',
            of: ({ case_id: id }) =>
              id === null ? (
                '–'
              ) : (
                <Link to="/cases/$id" params={{ id }}>
                  {words.openCase}
                </Link>
              ),
          },
          { title: words.at, of: ({ created_at }) => clock(created_at) },
        ]}
      />
    </>
  );
}
