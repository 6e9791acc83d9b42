import { State, Table } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useListText } from './text/language.ts';

/** The lists that everybody is screened against, as they are now. */
export function Lists() {
  const { words, clock, dateOrClock, number } = useListText();
  const query = useRecord(['lists'], ({ compliance }) => compliance.GET('/v1/lists'));
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Link to="/lists/internal" className="button primary">
          {words.internal.open}
        </Link>
        <Link to="/lists/monitored" className="button secondary">
          {words.monitored.title}
        </Link>
      </PageHead>
      <Loaded query={query}>
        {({ data }) => (
          <Table
            caption={words.title}
            rows={data}
            keyOf={({ code, own }) => `${code} ${own}`}
            columns={[
              {
                title: words.list,
                wide: true,
                of: ({ code, own, fictional, stale }) => (
                  <span>
                    <strong>{own ? words.own : words.lists[code]}</strong>{' '}
                    {fictional && <State kind="wait">{words.fictional}</State>}{' '}
                    {stale && <State kind="bad">{words.stale}</State>}
                  </span>
                ),
              },
              { title: words.entries, of: ({ entries }) => number(entries) },
              { title: words.published, of: ({ published_at: at }) => (at === null ? '–' : dateOrClock(at)) },
              { title: words.imported, of: ({ imported_at: at }) => clock(at) },
              {
                title: words.version,
                wide: true,
                of: ({ code, own, version }) => (
                  <Link to="/lists/versions" search={{ list: code, ...(own && { own: 'true' }) }}>
                    <span className="unseen">{own ? words.own : words.lists[code]}: </span>
                    {version}
                  </Link>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
