import { Button, Notice } from '@constancia/web';
import { contentOf, type EditedRule } from '../model/edited-rule.ts';
import { isSameRule } from '../model/rule-diff.ts';
import type { StoredRule } from '../model/use-rules.ts';
import { RuleDiff } from '../parts/rule-diff.tsx';
import { useRuleText } from '../text/language.ts';

/** What somebody else did to the rule: null where they removed it. */
export interface Conflict {
  what: 'changed' | 'removed' | 'published';
  theirs: StoredRule | null;
}

interface ConflictNoticeProps {
  of: Conflict;
  mine: EditedRule;
  busy: boolean;
  onKeep: () => void;
  onTake: (theirs: StoredRule) => void;
  onMove: () => void;
}

/** Says what happened, compares, and asks how to go on. Nothing that was typed goes. */
export function ConflictNotice({ of: { what, theirs }, mine, busy, onKeep, onTake, onMove }: ConflictNoticeProps) {
  const { words } = useRuleText();
  const stored = theirs === null ? null : contentOf(theirs);
  return (
    <Notice tone="warning">
      <p>
        <strong>{words.conflict[what]}</strong>
      </p>
      {stored !== null &&
        (isSameRule(stored, mine) ? (
          <p>{words.conflict.same}</p>
        ) : (
          <>
            <h3>{words.conflict.theirs}</h3>
            <RuleDiff before={stored} after={mine} />
          </>
        ))}
      <div className="actions small">
        {what === 'published' ? (
          <Button look="primary" busy={busy} onPress={onMove}>
            {words.conflict.toDraft}
          </Button>
        ) : (
          <Button look="primary" onPress={onKeep}>
            {words.conflict.keepMine}
          </Button>
        )}
        {theirs !== null && <Button onPress={() => onTake(theirs)}>{words.conflict.takeTheirs}</Button>}
      </div>
      <p className="help">
        {what === 'changed' ? words.conflict.kept : what === 'removed' ? words.conflict.addAgain : ''}
      </p>
    </Notice>
  );
}
