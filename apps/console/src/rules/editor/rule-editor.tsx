import type { RuleDefinition } from '@constancia/rule-graph';
import { Button, Notice, useAnnounce } from '@constancia/web';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useMay } from '../../member/member.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAction } from '../../parts/use-action.ts';
import { unconditionalIn } from '../model/rule-edits.ts';
import type { Editing } from '../model/use-edited-rule.ts';
import type { StoredRule, ValidationRow } from '../model/use-rules.ts';
import { ProblemCount, ProblemList } from '../parts/validation-state.tsx';
import { useRuleText } from '../text/language.ts';
import { ConflictNotice } from './conflict.tsx';
import { useNodeRemoval } from './node-removal.tsx';
import { RuleFacts } from './rule-facts.tsx';
import { RuleTable } from './rule-table.tsx';
import { useRuleEdits } from './use-rule-edits.ts';
import { isOvertaken, useMoveToDraft, useSave } from './use-save.ts';
import { ViewSwitch } from './view-switch.tsx';

const RuleGraph = lazy(() => import('../graph/rule-graph.tsx').then((loaded) => ({ default: loaded.RuleGraph })));
const route = getRouteApi('/rules/$id/rule/$ruleId');

export interface RuleEditorProps {
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

  const edits = useRuleEdits({ validation, rules, ruleId });
  const { editing, problems, base, isDirty, conflict, setBase } = edits;
  const { rule } = editing;
  const removal = useNodeRemoval(editing);
  const readOnly = !may('compliance:rules') || !edits.wasDraft;
  const over = conflict?.what === 'removed' ? null : base;
  // Another page follows: what would be typed meanwhile would be lost.
  const disabled = readOnly || busy === 'move' || (busy === 'save' && over === null);
  const leave = useLeaveGuard({ unsaved: isDirty && !readOnly, survivesSearch: true });

  const open = async (saved: StoredRule): Promise<void> => {
    leave.letPass();
    const params = { id: saved.validation_id, ruleId: saved.id };
    await navigate({ to: '/rules/$id/rule/$ruleId', params, search: true, replace: base === null });
  };
  const saveNow = (): Promise<void> =>
    run('save', async () => {
      const saved = await save(rule, over);
      setBase(saved);
      editing.settle();
      announce(words.editor.saved);
      if (saved.id !== ruleId) await open(saved);
    });
  const move = (): Promise<void> =>
    run('move', async () => {
      const moved = await moveToDraft(rule, base?.code ?? rule.code);
      announce(words.conflict.moved);
      await open(moved);
    });
  const shared = { editing, problems, disabled, remove: removal.remove };

  return (
    <>
      <PageHead title={ruleId === 'new' ? words.editor.newTitle : edits.title}>
        {!readOnly && (
          <SaveButtons
            {...{ editing, isDirty }}
            frozen={disabled}
            busy={busy === 'save'}
            onSave={() => void saveNow()}
          />
        )}
      </PageHead>
      {conflict !== null && (
        <ConflictNotice
          of={conflict}
          mine={rule}
          busy={busy === 'move'}
          onKeep={() => setBase(conflict.theirs)}
          onTake={edits.take}
          onMove={() => void move()}
        />
      )}
      <SaveFailure of={error} isConflictShown={conflict !== null} />
      {!edits.wasDraft && may('compliance:rules') && <p className="help">{words.readOnly}</p>}
      <RuleFacts {...{ editing, problems, disabled }} />
      <section className="check" aria-label={words.check}>
        <ProblemCount of={problems} />{' '}
        <span className="help">
          {words.rules}: {number(rules.length)}
        </span>
        <ProblemList of={problems.ofWhole} />
      </section>
      {!readOnly && <Unconditional of={rule.definition} />}
      <ViewSwitch view={view === 'graph' ? 'graph' : 'table'} />
      {view === 'graph' ? (
        <Suspense fallback={<Loading />}>
          <RuleGraph {...shared} />
        </Suspense>
      ) : (
        <RuleTable {...shared} />
      )}
      {leave.dialog}
      {removal.dialog}
    </>
  );
}

/** What went wrong; a conflict is shown elsewhere. */
const SaveFailure = ({ of: error, isConflictShown }: { of: unknown; isConflictShown: boolean }) =>
  error === null || (isConflictShown && isOvertaken(error)) ? null : <Failure error={error} />;

/** Which outcomes are decided always, said as soon as it is so. */
function Unconditional({ of: definition }: { of: RuleDefinition }) {
  const { words } = useRuleText();
  const ids = unconditionalIn(definition).join(', ');
  if (ids === '') return null;
  return (
    <Notice tone="warning">
      <p>{words.editor.unconditional(ids)}</p>
    </Notice>
  );
}

interface SaveButtonsProps {
  editing: Editing;
  isDirty: boolean;
  frozen: boolean;
  busy: boolean;
  onSave: () => void;
}

function SaveButtons({ editing: { undo }, isDirty, frozen, busy, onSave }: SaveButtonsProps) {
  const { words } = useRuleText();
  const announce = useAnnounce();
  return (
    <>
      {isDirty && <span className="help">{words.editor.dirty}</span>}
      <Button
        disabled={undo === null || frozen}
        onPress={() => {
          undo?.();
          announce(words.editor.undone);
        }}
      >
        {words.editor.undo}
      </Button>
      <Button look="primary" busy={busy} onPress={onSave}>
        {words.editor.save}
      </Button>
    </>
  );
}
