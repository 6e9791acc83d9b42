import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRecords } from '../../member/queries.ts';
import { Filter } from '../../parts/filter.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { useIdentityText } from '../text/language.ts';
import { documentOf, type SubjectRow, SUBJECTS, SubjectStatus, useSubjectName } from './subject-parts.tsx';

const route = getRouteApi('/identity/subjects');

const DOCUMENT_TYPES = ['CC', 'CE', 'TI', 'PA', 'PPT', 'NIT'] as const;

/** The persons whom the tenant verified. The filter is in the address, but for the reference: it may name a person. */
export function Subjects() {
  const { text, words, clock } = useIdentityText();
  const nameOf = useSubjectName();
  const { kyc_status, document_type } = route.useSearch();
  const navigate = route.useNavigate();
  const [reference, setReference] = useState('');
  const query = useRecords([...SUBJECTS, { kyc_status, document_type, reference }], ({ platform }, cursor) =>
    platform.GET('/v1/kyc/subjects', {
      params: {
        query: {
          ...{ cursor, limit: 100 },
          kyc_status: kyc_status as SubjectRow['kyc_status'],
          document_type: document_type as SubjectRow['document_type'],
          external_ref: reference === '' ? undefined : reference,
        },
      },
    }),
  );
  return (
    <>
      <PageHead title={words.subject.title} lead={words.subject.lead} />
      <Filter
        values={{
          ...(kyc_status !== undefined && { kyc_status }),
          ...(document_type !== undefined && { document_type }),
          ...(reference !== '' && { reference }),
        }}
        onValues={({ reference: searched = '', ...values }) => {
          setReference(searched);
          void navigate({ search: values });
        }}
        fields={[
          {
            name: 'reference',
            label: words.subject.reference,
            placeholder: words.session.referenceHint,
            maxLength: 200,
          },
          {
            name: 'kyc_status',
            label: words.subject.status,
            options: [['', text.all], ...Object.entries(words.subject.statuses)],
          },
          {
            name: 'document_type',
            label: words.subject.documentType,
            options: [['', text.all], ...DOCUMENT_TYPES.map((type) => [type, type] as const)],
          },
        ]}
      />
      <RecordTable
        caption={words.subject.title}
        query={query}
        keyOf={({ subject_id }) => subject_id}
        empty={words.subject.empty}
        columns={[
          {
            title: words.subject.name,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: (row) => (
              <Link to="/identity/subjects/$id" params={{ id: row.subject_id }}>
                {nameOf(row)}
              </Link>
            ),
          },
          { title: words.subject.document, of: documentOf },
          { title: words.subject.reference, wide: true, of: ({ external_ref }) => external_ref ?? '–' },
          { title: words.subject.status, of: (row) => <SubjectStatus of={row} /> },
          { title: words.subject.verified, of: ({ verified_at: at }) => (at === null ? '–' : clock(at)) },
        ]}
      />
    </>
  );
}
