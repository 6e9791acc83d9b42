import type { components } from '@constancia/sdk/generated/compliance';
import { State, Table } from '@constancia/web';
import { useMatchText } from './text/language.ts';

type Freshness = components['schemas']['ListFreshnessView'];

const DAY_SECONDS = 86_400;

interface ListFreshnessProps {
  title: string;
  /** Each list as it was when something was decided with it. */
  lists: readonly Freshness[];
}

/** Which version of each list was used, and how old it was; nothing when there was none. */
export function ListFreshness({ title, lists }: ListFreshnessProps) {
  const { words, clock, dateOrClock, number } = useMatchText();
  if (lists.length === 0) return null;
  const ageOf = ({ age_seconds: age, stale }: Freshness) =>
    age === null ? (
      words.freshness.unknown
    ) : (
      <span>
        {words.freshness.days(number(Math.round((age / DAY_SECONDS) * 10) / 10))}{' '}
        {stale && <State kind="bad">{words.freshness.stale}</State>}
      </span>
    );
  return (
    <>
      <h2>{title}</h2>
      <Table
        caption={title}
        rows={lists}
        keyOf={({ code, own }) => `${code} ${own}`}
        columns={[
          { title: words.freshness.list, of: ({ code }) => words.lists[code] },
          { title: words.freshness.version, of: ({ version }) => version, wide: true },
          { title: words.freshness.imported, of: ({ imported_at: at }) => (at === null ? '–' : clock(at)) },
          { title: words.freshness.published, of: ({ published_at: at }) => (at === null ? '–' : dateOrClock(at)) },
          { title: words.freshness.checked, of: ({ checked_at: at }) => (at === null ? '–' : clock(at)) },
          { title: words.freshness.age, of: ageOf },
        ]}
      />
    </>
  );
}
