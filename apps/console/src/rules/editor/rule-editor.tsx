import { Button, useAnnounce } from '@constancia/web';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAction } from '../../parts/use-action.ts';
import { contentOf, newRule } from '../model/edited-rule.ts';
import { problemsOf } from '../model/problems.ts';
import { isSameRule } from '../model/rule-diff.ts';
import { useEditedRule } from '../model/use-edited-rule.ts';
import type { StoredRule, ValidationRow } from '../model/use-rules.ts';
import { ProblemCount, ProblemList } from '../parts/validation-state.tsx';
import { useRuleText } from '../text/language.ts';
import { type Conflict, ConflictNotice } from './conflict.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { RuleFacts } from './rule-facts.tsx';
import { RuleTable } from './rule-table.tsx';
import { isOvertaken, useMoveToDraft, useSave } from './use-save.ts';
import { ViewSwitch } from './view-switch.tsx';

const RuleGraph = lazy(() => import('../graph/rule-graph.tsx').then((loaded) => ({ default: loaded.RuleGraph })));
const route = getRouteApi('/rules/$id/rule/$ruleId');

interface RuleEditorProps {
  validation: ValidationRow;
  rules: readonly StoredRule[];
  ruleId: string;
}

/** Edits one rule. What somebody else does to it meanwhile is said, and what was typed stays. */
export function RuleEditor({ validation, rules, ruleId }: RuleEditorProps) {
  const { words, number } = useRuleText();
  const announce = useAnnounce();
  const may = useMay();
  const navigate = route.useNavigate();
  const { view } = route.useSearch();
  const { busy, error, run } = useAction();
  const save = useSave(validation.id);
  const moveToDraft = useMoveToDraft(validation.id);

  const stored = rules.find(({ id }) => id === ruleId) ?? null;
  /** What this page was opened with, or saved last. */
  const [base, setBase] = useState(stored);
  const [fresh] = useState(() => newRule(Math.max(0, ...rules.map(({ position }) => position)) + 10));
  const editing = useEditedRule(base === null ? fresh : contentOf(base));
  const { rule } = editing;
  const isNew = base === null;
  const isDirty = !isSameRule(rule, base === null ? fresh : contentOf(base));
  const leaving = useRef(false);

  const mayEdit = may('compliance:rules');
  const wasDraft = useRef(validation.status === 'draft');
  const conflict = conflictOf({
    base,
    stored,
    isDraft: validation.status === 'draft',
    isDirty,
    isNew: ruleId === 'new',
  });
  if (conflict === null && stored !== null && base !== null && stored.etag !== base.etag && !isDirty) {
    setBase(stored); // nothing was typed: show what is there now
    editing.change(contentOf(stored));
  }
  const disabled = !mayEdit || !wasDraft.current;

  const others = useMemo(() => rules.filter(({ id }) => id !== ruleId).map(contentOf), [rules, ruleId]);
  const linted = useDeferredValue(rule);
  const problems = useMemo(() => problemsOf(linted, others), [linted, others]);

  const open = async (saved: StoredRule): Promise<void> => {
    leaving.current = true;
    const params = { id: saved.validation_id, ruleId: saved.id };
    await navigate({ to: '/rules/$id/rule/$ruleId', params, search: true, replace: isNew });
  };
  const saveNow = (): Promise<void> =>
    run('save', async () => {
      const saved = await save(rule, conflict?.what === 'removed' ? null : base);
      setBase(saved);
      announce(words.editor.saved);
      if (saved.id !== ruleId) await open(saved);
    });
  const move = (): Promise<void> =>
    run('move', async () => {
      const moved = await moveToDraft(rule, base?.code ?? rule.code);
      announce(words.conflict.moved);
      await open(moved);
    });
  const take = (theirs: StoredRule | null): void => {
    if (theirs !== null) editing.change(contentOf(theirs));
    setBase(theirs);
  };
  const shared = { editing, problems, disabled };

  return (
    <>
      <PageHead title={ruleId === 'new' ? words.editor.newTitle : (base?.code ?? rule.code)}>
        {!disabled && (
          <>
            {isDirty && <span className="help">{words.editor.dirty}</span>}
            <Button
              disabled={editing.undo === null}
              onPress={() => {
                editing.undo?.();
                announce(words.editor.undone);
              }}
            >
              {words.editor.undo}
            </Button>
            <Button look="primary" busy={busy === 'save'} onPress={() => void saveNow()}>
              {words.editor.save}
            </Button>
          </>
        )}
      </PageHead>
      {conflict !== null && (
        <ConflictNotice
          of={conflict}
          mine={rule}
          busy={busy === 'move'}
          onKeep={() => setBase(conflict.theirs)}
          onTake={() => take(conflict.theirs)}
          onMove={() => void move()}
        />
      )}
      {error !== null && !(isOvertaken(error) && conflict !== null) && <Failure error={error} />}
      {!wasDraft.current && mayEdit && <p className="help">{words.readOnly}</p>}
      <RuleFacts {...shared} />
      <section className="check" aria-label={words.check}>
        <ProblemCount of={problems} />{' '}
        <span className="help">
          {words.rules}: {number(rules.length)}
        </span>
        <ProblemList of={problems.ofWhole} />
      </section>
      <ViewSwitch view={view === 'graph' ? 'graph' : 'table'} />
      {view === 'graph' ? (
        <Suspense fallback={<Loading />}>
          <RuleGraph {...shared} />
        </Suspense>
      ) : (
        <RuleTable {...shared} />
      )}
      <LeaveGuard isLosing={() => isDirty && !disabled && !leaving.current} />
    </>
  );
}

interface Compared {
  base: StoredRule | null;
  stored: StoredRule | null;
  isDraft: boolean;
  isDirty: boolean;
  isNew: boolean;
}

function conflictOf({ base, stored, isDraft, isDirty, isNew }: Compared): Conflict | null {
  if (!isDirty) return null;
  if (!isDraft) return { what: 'published', theirs: stored };
  if (isNew || base === null) return null;
  if (stored === null) return { what: 'removed', theirs: null };
  return stored.etag === base.etag ? null : { what: 'changed', theirs: stored };
}
