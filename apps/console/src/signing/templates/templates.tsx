import { State } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../member/member.tsx';
import { useRecords } from '../../member/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { useSigningText } from '../text/language.ts';
import { TEMPLATES } from './use-template.ts';

/** Templates: PDFs with places for texts, which are sealed without signers. */
export function Templates() {
  const { words, number, clock } = useSigningText();
  const may = useMay();
  const query = useRecords(TEMPLATES, ({ signing }, cursor) =>
    signing.GET('/v1/templates', { params: { query: { cursor, limit: 100 } } }),
  );
  return (
    <>
      <PageHead title={words.templates.title} lead={words.templates.lead}>
        {may('signing:write') && (
          <Link to="/signing/templates/new" className="button primary">
            {words.templates.create}
          </Link>
        )}
      </PageHead>
      <RecordTable
        caption={words.templates.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.templates.empty}
        columns={[
          {
            title: words.name,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ id, name, archived_at, warnings }) => (
              <span>
                <Link to="/signing/templates/$id" params={{ id }}>
                  {name}
                </Link>{' '}
                {archived_at !== null && <State kind="wait">{words.templates.archived}</State>}{' '}
                {warnings.length > 0 && <State kind="bad">{words.templates.warned}</State>}
              </span>
            ),
          },
          { title: words.code, wide: true, of: ({ code }) => <code>{code}</code> },
          { title: words.pages, width: '6rem', of: ({ page_count: pages }) => (pages === null ? '–' : number(pages)) },
          { title: words.editor.fields, width: '6rem', of: ({ placeholders }) => number(placeholders.length) },
          { title: words.created, of: ({ created_at: at }) => clock(at) },
        ]}
      />
    </>
  );
}
