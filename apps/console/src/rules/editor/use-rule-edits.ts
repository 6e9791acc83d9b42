import { useAnnounce } from '@constancia/web';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { contentOf, newRule } from '../model/edited-rule.ts';
import { type Problems, problemsOf } from '../model/problems.ts';
import { isSameRule } from '../model/rule-diff.ts';
import { type Editing, useEditedRule } from '../model/use-edited-rule.ts';
import type { StoredRule, ValidationRow } from '../model/use-rules.ts';
import { useRuleText } from '../text/language.ts';
import type { Conflict } from './conflict.tsx';

interface RuleEdits {
  editing: Editing;
  problems: Problems;
  title: string;
  /** What this page was opened with, or saved last; null: it is not saved yet. */
  base: StoredRule | null;
  setBase: (base: StoredRule | null) => void;
  isDirty: boolean;
  /** Whether it could be edited when the page was opened: what was typed stays editable. */
  wasDraft: boolean;
  conflict: Conflict | null;
  /** Goes on with what is saved: what was typed is given up. */
  take: (theirs: StoredRule) => void;
}

interface Opened {
  validation: ValidationRow;
  rules: readonly StoredRule[];
  ruleId: string;
}

/** A rule while it is edited, beside what is saved of it meanwhile. */
export function useRuleEdits({ validation, rules, ruleId }: Opened): RuleEdits {
  const { words } = useRuleText();
  const announce = useAnnounce();
  const stored = rules.find(({ id }) => id === ruleId) ?? null;
  const [base, setBase] = useState(stored);
  const [fresh] = useState(() => newRule(Math.max(0, ...rules.map(({ position }) => position)) + 10));
  const [wasDraft] = useState(validation.status === 'draft');
  const before = base === null ? fresh : contentOf(base);
  const editing = useEditedRule(before);
  const { rule } = editing;
  const isDirty = !isSameRule(rule, before);
  const conflict = conflictOf({ base, stored, isDraft: validation.status === 'draft', isDirty, ruleId });
  const take = (theirs: StoredRule): void => {
    editing.reset(contentOf(theirs));
    setBase(theirs);
  };
  // Nothing was typed: show what is there now.
  const newer = stored !== null && base !== null && stored.etag !== base.etag && !isDirty ? stored : null;
  useEffect(() => {
    if (newer === null) return;
    take(newer);
    announce(words.editor.updated);
  });

  const others = useMemo(() => rules.filter(({ id }) => id !== ruleId).map(contentOf), [rules, ruleId]);
  const linted = useDeferredValue(rule);
  const problems = useMemo(() => problemsOf(linted, others), [linted, others]);
  return { editing, problems, title: before.code || rule.code, base, setBase, isDirty, wasDraft, conflict, take };
}

interface Compared {
  base: StoredRule | null;
  stored: StoredRule | null;
  isDraft: boolean;
  isDirty: boolean;
  ruleId: string;
}

function conflictOf({ base, stored, isDraft, isDirty, ruleId }: Compared): Conflict | null {
  if (!isDirty) return null;
  if (!isDraft) return { what: 'published', theirs: stored };
  if (ruleId === 'new' || base === null) return null;
  if (stored === null) return { what: 'removed', theirs: null };
  return stored.etag === base.etag ? null : { what: 'changed', theirs: stored };
}
