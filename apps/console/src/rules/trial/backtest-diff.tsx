import { DECISIONS } from '@constancia/rule-graph';
import type { components } from '@constancia/sdk/generated/compliance';
import { Notice, Table } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { DecisionState } from '../../matches/decision-state.tsx';
import { useRuleText } from '../text/language.ts';

type BacktestView = components['schemas']['BacktestView'];

/** A backtest of a draft as it was, and of the published version, if there is one. */
export interface Tested {
  etag: string;
  publishedId: string | null;
  draft: BacktestView;
  current: BacktestView | null;
}

/** What is decided in another way, and what fires more or less often. */
export function BacktestDiff({ of: { draft, current } }: { of: Tested }) {
  const { words, number } = useRuleText();
  const { screenings, complete, before, after, changed, changed_count: count, expected_cases: cases } = draft;
  if (screenings === 0) return <p className="empty">{words.trial.noScreenings}</p>;
  return (
    <>
      <p>
        {words.trial.screenings(number(screenings))} {words.trial.cases(number(cases))}{' '}
        {!complete && words.trial.incomplete}
      </p>
      <h2>{words.trial.decisions}</h2>
      <Table
        caption={words.trial.decisions}
        rows={DECISIONS}
        keyOf={(decision) => decision}
        columns={[
          { title: words.trial.decision, of: (decision) => <DecisionState of={decision} /> },
          { title: words.trial.before, of: (decision) => number(before[decision]) },
          { title: words.trial.after, of: (decision) => number(after[decision]) },
          { title: words.trial.difference, of: (decision) => <Change by={after[decision] - before[decision]} /> },
        ]}
      />
      <h2>{words.trial.changedCount(number(count))}</h2>
      {count === 0 && (
        <Notice tone="good">
          <p>{words.trial.noneChanged}</p>
        </Notice>
      )}
      {count > changed.length && <p className="help">{words.trial.examples(number(changed.length))}</p>}
      {changed.length > 0 && (
        <Table
          caption={words.trial.changedCount(number(count))}
          rows={changed}
          keyOf={({ screening_id }) => screening_id}
          columns={[
            {
              title: words.trial.screening,
              wide: true,
              of: ({ screening_id, subject_ref }) => (
                <div>
                  {subject_ref}
                  <div className="help">
                    <Link to="/screenings/$id" params={{ id: screening_id }}>
                      {screening_id}
                    </Link>
                  </div>
                </div>
              ),
            },
            { title: words.subject, of: ({ subject_type }) => words.editor.choices[subject_type] },
            { title: words.trial.before, of: (row) => <Decided of={row.before} /> },
            { title: words.trial.after, of: (row) => <Decided of={row.after} /> },
          ]}
        />
      )}
      <RuleHits draft={draft} current={current} />
    </>
  );
}

/** In how many screenings each rule fires; those that change come first. */
function RuleHits({ draft, current }: { draft: BacktestView; current: BacktestView | null }) {
  const { words, number } = useRuleText();
  const codes = new Set([...Object.keys(draft.rule_hits), ...Object.keys(current?.rule_hits ?? {})]);
  const rows = [...codes]
    .map((code) => ({ code, now: draft.rule_hits[code] ?? 0, was: current?.rule_hits[code] ?? 0 }))
    .sort((one, other) => Math.abs(other.now - other.was) - Math.abs(one.now - one.was) || other.now - one.now)
    .filter(({ now, was }) => now + was > 0);
  if (rows.length === 0) return null;
  return (
    <>
      <h2>{words.trial.ruleHits}</h2>
      <Table
        caption={words.trial.ruleHits}
        rows={rows}
        keyOf={({ code }) => code}
        columns={[
          { title: words.rule, of: ({ code }) => code, wide: true },
          ...(current === null
            ? []
            : [{ title: words.trial.publishedHits, of: ({ was }: (typeof rows)[number]) => number(was) }]),
          { title: words.trial.draftHits, of: ({ now }) => number(now) },
          ...(current === null
            ? []
            : [
                {
                  title: words.trial.difference,
                  of: ({ now, was }: (typeof rows)[number]) => <Change by={now - was} />,
                },
              ]),
        ]}
      />
    </>
  );
}

function Decided({ of: { decision, score } }: { of: BacktestView['changed'][number]['after'] }) {
  const { words, number } = useRuleText();
  return (
    <span>
      <DecisionState of={decision} /> {words.points(number(score))}
    </span>
  );
}

function Change({ by }: { by: number }) {
  const { locale } = useRuleText();
  const text = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' }).format(by);
  return by === 0 ? <span className="help">{text}</span> : <strong>{text}</strong>;
}
