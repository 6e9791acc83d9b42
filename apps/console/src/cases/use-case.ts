import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, type Apis, withEtag } from '../api/apis.ts';
import { type Call, useCall } from '../member/queries.ts';
import { useApis } from '../member/member.tsx';
import type { Dossier } from './case-parts.tsx';

/** A case as it was read, and the tag by which a change says what it was decided on. */
export interface ReadCase {
  dossier: Dossier;
  etag: string;
}

const CASES = ['cases'];

export function useCase(id: string): UseQueryResult<ReadCase> {
  const { compliance } = useApis();
  return useQuery({
    queryKey: [...CASES, id],
    queryFn: async () => {
      const call = compliance.GET('/v1/cases/{id}', { params: { path: { id } } });
      const { etag, ...dossier } = await answerOf(withEtag(call));
      return { dossier, etag };
    },
  });
}

type Params = { path: { id: string }; header: { 'If-Match': string } };
type ChangeCall = (compliance: Apis['compliance'], params: Params) => Call<unknown>;

/** Changes a case as it was read. Whatever comes of it, the case is read again before it resolves or rejects. */
export function useCaseChange(): (read: ReadCase, change: ChangeCall) => Promise<void> {
  const call = useCall();
  const queries = useQueryClient();
  return async ({ dossier: { id }, etag }, change) => {
    const params = { path: { id }, header: { 'If-Match': etag } };
    try {
      await call(({ compliance }) => change(compliance, params));
    } finally {
      await queries.invalidateQueries({ queryKey: CASES });
    }
  };
}
