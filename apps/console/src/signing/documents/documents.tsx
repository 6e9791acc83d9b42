import { getRouteApi, Link } from '@tanstack/react-router';
import { useRecords } from '../../member/queries.ts';
import { Filter } from '../../parts/filter.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { useSigningText } from '../text/language.ts';
import { DocumentStatus } from './document-status.tsx';
import { type DocumentRow, DOCUMENTS } from './use-document.ts';

const route = getRouteApi('/signing/documents');

/** Documents sealed from templates, newest first, with a filter in the address. */
export function Documents() {
  const { text, words, clock } = useSigningText();
  const { lang: _, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const { status, template_id } = filter;
  const query = useRecords([...DOCUMENTS, 'list', filter], ({ signing }, cursor) =>
    signing.GET('/v1/signatures', {
      params: { query: { cursor, limit: 100, status: status as DocumentRow['status'], template_id } },
    }),
  );
  return (
    <>
      <PageHead title={words.documents.title} lead={words.documents.lead}>
        <Link to="/signing/templates" className="button secondary">
          {words.templates.title}
        </Link>
      </PageHead>
      <Filter
        values={filter}
        onValues={(values) => void navigate({ search: values })}
        fields={[
          {
            name: 'status',
            label: words.documents.status,
            options: [['', text.all], ...Object.entries(words.documents.statuses)],
          },
          { name: 'template_id', label: words.templates.one, placeholder: 'tpl_…', maxLength: 30 },
        ]}
      />
      <RecordTable
        caption={words.documents.title}
        query={query}
        keyOf={({ id }) => id}
        empty={Object.keys(filter).length === 0 ? words.documents.empty : words.documents.noMatch}
        columns={[
          {
            title: words.documents.reference,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ id, subject_ref: reference }) => (
              <Link to="/signing/documents/$id" params={{ id }}>
                {reference}
              </Link>
            ),
          },
          {
            title: words.templates.one,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ template_id: id }) => (
              <Link to="/signing/templates/$id" params={{ id }}>
                <code>{id}</code>
              </Link>
            ),
          },
          { title: words.documents.status, of: (document) => <DocumentStatus of={document} /> },
          { title: words.documents.requested, of: ({ created_at: at }) => clock(at) },
          { title: words.documents.sealed, of: ({ signed_at: at }) => (at === null ? '–' : clock(at)) },
        ]}
      />
    </>
  );
}
