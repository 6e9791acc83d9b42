import type { components } from '@constancia/sdk/generated/platform';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type Call, useCall, useRecord } from '../../member/queries.ts';

type Schemas = components['schemas'];
export type SessionRow = Schemas['FlowSession'];
export type Session = Schemas['AdvancedSession'];
export type Trail = Schemas['SessionTrailPage'];
export type Review = Schemas['ReviewBody'];

export const SESSIONS = ['flow-sessions'];

/** A session with the answers that it has gathered. */
export const useSession = (id: string): UseQueryResult<Session> =>
  useRecord(
    [...SESSIONS, id],
    ({ platform }) => platform.GET('/v1/flows/sessions/{id}', { params: { path: { id } } }) as Call<Session>,
  );

/** The first events of a session, and every decision of people. */
export const useTrail = (id: string): UseQueryResult<Trail> =>
  useRecord([...SESSIONS, id, 'trail'], ({ platform }) =>
    platform.GET('/v1/flows/sessions/{id}/audit', { params: { path: { id }, query: { limit: 100 } } }),
  );

/** Decides a session. Whatever comes of it, the session is read again before it resolves or rejects. */
export function useReview(id: string): (body: Review) => Promise<SessionRow> {
  const call = useCall();
  const queries = useQueryClient();
  return async (body) => {
    const params = { path: { id } };
    try {
      return await call(({ platform }) => platform.POST('/v1/flows/sessions/{id}/review', { params, body }));
    } finally {
      await queries.invalidateQueries({ queryKey: SESSIONS });
    }
  };
}
