import type { components } from '@constancia/sdk/generated/compliance';
import { Facts, Notice } from '@constancia/web';
import { Counts, DecidedLists } from './counts.tsx';
import { useReportText } from './text/language.ts';

type Schemas = components['schemas'];

const DAY_HOURS = 24;

export function CaseTotals({ of: cases }: { of: Schemas['CaseTotalsView'] }) {
  const { words, number } = useReportText();
  const { time_to_resolve: time } = cases;
  const lasting = (value: number): string =>
    value < 2 * DAY_HOURS
      ? words.hours(number(value))
      : words.inDays(number(Math.round((10 * value) / DAY_HOURS) / 10));
  return (
    <section>
      <h2>{words.cases}</h2>
      <div className="cards">
        <section className="card">
          <h3>{words.summary}</h3>
          <Facts
            pairs={[
              [words.opened, number(cases.opened)],
              [words.overdue, number(cases.overdue)],
              [words.late, number(cases.resolved_late)],
              [words.rosDrafts, cases.ros_drafts === 0 ? words.absence : number(cases.ros_drafts)],
            ]}
          />
        </section>
        <section className="card">
          <h3>{words.time}</h3>
          {time === null ? (
            <p>{words.noneResolved}</p>
          ) : (
            <Facts
              pairs={[
                [words.median, lasting(time.median_hours)],
                [words.p90, lasting(time.p90_hours)],
                [words.longest, lasting(time.longest_hours)],
              ]}
            />
          )}
        </section>
        <Counts title={words.byDecision} counts={cases.by_decision} names={words.decisions} />
        <Counts title={words.byStatus} counts={cases.by_status} names={words.statuses} />
        <Counts title={words.byPriority} counts={cases.by_priority} names={words.priorities} />
        <Counts title={words.byList} counts={cases.by_list} names={words.lists} />
        <Counts title={words.byRule} counts={cases.by_rule} />
        <DecidedLists title={words.whenDecided} of={cases.lists_when_decided} />
      </div>
    </section>
  );
}

export function ScreeningTotals({ of: screenings }: { of: Schemas['ScreeningTotalsView'] }) {
  const { words, number, clock } = useReportText();
  const { archived_until: archived } = screenings;
  const { natural, legal } = screenings.by_subject_type;
  return (
    <section>
      <h2>{words.screenings}</h2>
      <p>{words.screened(number(screenings.made))}</p>
      {archived !== null && <Notice tone="news">{words.archived(clock(archived))}</Notice>}
      <div className="cards">
        <Counts title={words.byOutcome} counts={screenings.by_outcome} names={words.outcomes} />
        <Counts title={words.natural} counts={natural} names={words.outcomes} />
        <Counts title={words.legal} counts={legal} names={words.outcomes} />
        <Counts title={words.byTrigger} counts={screenings.by_trigger} names={words.triggers} />
        <Counts title={words.screenedLists} counts={screenings.by_list} names={words.lists} />
        <DecidedLists title={words.whenScreened} of={screenings.lists_when_screened} />
      </div>
    </section>
  );
}
