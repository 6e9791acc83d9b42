import type { components } from '@constancia/sdk/generated/compliance';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, type Apis } from '../../api/apis.ts';
import { useApis } from '../../member/member.tsx';
import { allPages, useRecord } from '../../member/queries.ts';

export type ValidationRow = components['schemas']['ValidationView'];
export type StoredRule = components['schemas']['RuleView'];
export type Template = components['schemas']['RuleTemplateView'];

/** Everything that is loaded of validations: whatever changes one reads all of it again. */
export const VALIDATIONS = ['validations'];
export const rulesKey = (validationId: string): string[] => [...VALIDATIONS, validationId, 'rules'];

export const useValidation = (id: string): UseQueryResult<ValidationRow> =>
  useRecord([...VALIDATIONS, id], ({ compliance }) =>
    compliance.GET('/v1/validations/{id}', { params: { path: { id } } }),
  );

/** Every rule of a validation. @throws ApiError, Unreachable */
export async function allRules({ compliance }: Pick<Apis, 'compliance'>, path: { id: string }): Promise<StoredRule[]> {
  const { data } = await allPages<StoredRule>((cursor) => {
    const params = { path, query: { limit: 100, cursor } };
    return answerOf(compliance.GET('/v1/validations/{id}/rules', { params }));
  });
  return data;
}

/** A validation and its rules. The etag is of these rules or of former ones, never of later ones: it was read before them. */
export interface RuleSet {
  validation: ValidationRow;
  rules: StoredRule[];
}

/** A validation with every rule, in the order of evaluation: there are at most 500. */
export const useRuleSet = (validationId: string | undefined): UseQueryResult<RuleSet> =>
  useQuery(useRuleSetQuery(validationId));

/** The rules alone. */
export const useRules = (validationId: string | undefined): UseQueryResult<StoredRule[]> =>
  useQuery({ ...useRuleSetQuery(validationId), select: rulesOf });

const rulesOf = ({ rules }: RuleSet): StoredRule[] => rules;

function useRuleSetQuery(validationId: string | undefined) {
  const apis = useApis();
  return {
    queryKey: rulesKey(validationId ?? ''),
    enabled: validationId !== undefined,
    queryFn: async (): Promise<RuleSet> => {
      const path = { id: validationId ?? '' };
      const validation = await answerOf(apis.compliance.GET('/v1/validations/{id}', { params: { path } }));
      return { validation, rules: await allRules(apis, path) };
    },
  };
}

/** The version of a code that screenings use now; null when there is none. */
export function usePublished(code: string | undefined): UseQueryResult<ValidationRow | null> {
  const { compliance } = useApis();
  return useQuery({
    queryKey: [...VALIDATIONS, 'published', code],
    enabled: code !== undefined,
    queryFn: async () => {
      const query = { code, status: 'published', limit: 1 } as const;
      return (await answerOf(compliance.GET('/v1/validations', { params: { query } }))).data[0] ?? null;
    },
  });
}

/** The canonical rules: the legal basis of a rule is that of the one with its code. */
export const useTemplates = () =>
  useRecord(['rule-templates'], ({ compliance }) => compliance.GET('/v1/templates', {}));
