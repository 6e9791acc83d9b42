import { useMemo } from 'react';
import { contentOf, type EditedRule } from '../model/edited-rule.ts';
import { type ChangedRule, changedRules } from '../model/rule-diff.ts';
import { type RuleSet, usePublished, useRuleSet, type ValidationRow } from '../model/use-rules.ts';

/** What publishing would change. All of it was loaded: the rules, and those that it is compared with. */
export interface Compared {
  /** With the etag of the rules that are compared. */
  draft: RuleSet;
  rules: readonly EditedRule[];
  published: ValidationRow | null;
  changes: readonly ChangedRule[];
}

export interface Comparison {
  /** Undefined until everything is loaded. */
  data: Compared | undefined;
  error: Error | null;
  refetch: () => void;
}

/** The rules of a validation beside those that screenings use now. */
export function useComparison({ id, code }: Pick<ValidationRow, 'id' | 'code'>): Comparison {
  const published = usePublished(code);
  const before = useRuleSet(published.data?.id);
  const after = useRuleSet(id);
  const queries = published.data === null ? [published, after] : [published, before, after];
  const [version, old, draft] = [published.data, published.data === null ? null : before.data, after.data];
  const data = useMemo(() => {
    if (version === undefined || old === undefined || draft === undefined) return undefined;
    const rules = draft.rules.map(contentOf);
    return { draft, rules, published: version, changes: changedRules(old?.rules.map(contentOf) ?? [], rules) };
  }, [version, old, draft]);
  return {
    data,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => queries.filter(({ error }) => error !== null).forEach(({ refetch }) => void refetch()),
  };
}
