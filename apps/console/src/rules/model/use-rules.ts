import type { components } from '@constancia/sdk/generated/compliance';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { answerOf } from '../../api/apis.ts';
import { useApis } from '../../member/member.tsx';
import { useRecord } from '../../member/queries.ts';

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

const PAGE = 100;

/** Every rule of a validation, in the order of evaluation: there are at most 500. */
export function useRules(validationId: string | undefined): UseQueryResult<StoredRule[]> {
  const { compliance } = useApis();
  return useQuery({
    queryKey: rulesKey(validationId ?? ''),
    enabled: validationId !== undefined,
    queryFn: async () => {
      const rules: StoredRule[] = [];
      let cursor: string | undefined;
      do {
        const params = { path: { id: validationId ?? '' }, query: { limit: PAGE, cursor } };
        const page = await answerOf(compliance.GET('/v1/validations/{id}/rules', { params }));
        rules.push(...page.data);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return rules;
    },
  });
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
