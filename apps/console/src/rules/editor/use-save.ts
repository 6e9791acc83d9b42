import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { Apis } from '../../api/apis.ts';
import { useApis } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import type { EditedRule } from '../model/edited-rule.ts';
import { allRules, type RuleSet, rulesKey, type StoredRule, VALIDATIONS } from '../model/use-rules.ts';

/** Refusals that say that somebody else was faster. */
const OVERTAKEN = new Set(['state-conflict', 'validation-not-draft', 'not-found']);

export const isOvertaken = (failure: unknown): boolean => failure instanceof ApiError && OVERTAKEN.has(failure.slug);

/** Saves a rule: over the one that was read, as long as it is as it was read; as another one when there is none. */
export function useSave(validationId: string): (rule: EditedRule, over: StoredRule | null) => Promise<StoredRule> {
  const call = useCall();
  const queries = useQueryClient();
  return async (body, over) => {
    const saved = await call((apis) => putRule(apis, { id: validationId }, over, body)).catch(
      async (failure: unknown) => {
        if (isOvertaken(failure)) await queries.invalidateQueries({ queryKey: VALIDATIONS }); // to show what is there now
        throw failure;
      },
    );
    const { warnings: _, ...rule } = saved;
    const key = rulesKey(validationId);
    await queries.cancelQueries({ queryKey: key });
    queries.setQueryData<RuleSet>(key, (set) => set && { ...set, rules: withRule(set.rules, rule) });
    void queries.invalidateQueries({ queryKey: VALIDATIONS });
    return rule;
  };
}

const withRule = (rules: readonly StoredRule[], saved: StoredRule): StoredRule[] => [
  ...rules.filter(({ id }) => id !== saved.id),
  saved,
];

/** Puts a rule into a new draft with the rules of a validation, over the one with this code. */
export function useMoveToDraft(validationId: string): (rule: EditedRule, code: string) => Promise<StoredRule> {
  const apis = useApis();
  const call = useCall();
  /** Made by an attempt that failed after it. */
  const made = useRef<string | null>(null);
  return async (body, code) => {
    const params = { path: { id: validationId } };
    made.current ??= (await call((apis) => apis.compliance.POST('/v1/validations/{id}/clone', { params }))).id;
    const path = { id: made.current };
    try {
      const there = (await allRules(apis, path)).find((one) => one.code === code);
      return await call((apis) => putRule(apis, path, there ?? null, body), VALIDATIONS);
    } catch (failure) {
      if (isOvertaken(failure)) made.current = null; // somebody else has it: the next attempt makes another
      throw failure;
    }
  };
}

/** Over a rule, as long as it is as it was read; as another one when there is none. */
function putRule({ compliance }: Apis, path: { id: string }, over: StoredRule | null, body: EditedRule) {
  return over === null
    ? compliance.POST('/v1/validations/{id}/rules', { params: { path }, body })
    : compliance.PUT('/v1/validations/{id}/rules/{rule_id}', {
        params: { path: { ...path, rule_id: over.id }, header: { 'If-Match': over.etag } },
        body,
      });
}
