import type { components } from '@constancia/sdk/generated/compliance';
import { Notice, State, Table } from '@constancia/web';
import { useReportText } from './text/language.ts';

interface CountsProps {
  title: string;
  counts: Readonly<Record<string, number>>;
  /** What is counted, by its code; the code itself when left out. */
  names?: Readonly<Record<string, string>>;
}

/** A table of counts by name. */
export function Counts({ title, counts, names = {} }: CountsProps) {
  const { words, number } = useReportText();
  const rows = Object.entries(counts);
  return (
    <section className="card">
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <Table
          caption={title}
          rows={rows}
          keyOf={([code]) => code}
          columns={[
            { title: words.what, of: ([code]) => names[code] ?? code, wide: true },
            { title: words.count, of: ([, count]) => number(count) },
          ]}
        />
      )}
    </section>
  );
}

const DAY_SECONDS = 86_400;

/** The greatest age of each list among the decisions of the period. */
export function DecidedLists({ title, of }: { title: string; of: components['schemas']['DecidedListsView'] }) {
  const { words, number } = useReportText();
  const days = (seconds: number): string => number(Math.round((seconds / DAY_SECONDS) * 10) / 10);
  return (
    <section className="card">
      <h3>{title}</h3>
      {of.with_stale_list > 0 && (
        <Notice tone="warning">{words.stale(of.with_stale_list, number(of.with_stale_list))}</Notice>
      )}
      {of.with_unknown_version > 0 && <p>{words.unknown(of.with_unknown_version, number(of.with_unknown_version))}</p>}
      {of.by_list.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <Table
          caption={title}
          rows={of.by_list}
          keyOf={({ code }) => code}
          columns={[
            { title: words.list, of: ({ code }) => words.lists[code] },
            {
              title: words.oldest,
              of: ({ age_seconds, stale_decisions: stale }) => (
                <span>
                  {words.days(days(age_seconds))} {stale > 0 && <State kind="bad">{words.tooOld}</State>}
                </span>
              ),
            },
            {
              title: words.allowed,
              of: ({ max_age_days: most }) => (most === null ? words.ageless : words.days(number(most))),
            },
            { title: words.staleDecisions, of: ({ stale_decisions }) => number(stale_decisions) },
          ]}
        />
      )}
    </section>
  );
}
