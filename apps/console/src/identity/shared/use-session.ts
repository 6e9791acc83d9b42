import type { components } from '@constancia/sdk/generated/platform';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
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

const trailKey = (id: string) => [...SESSIONS, id, 'trail'];

const isAsked = ({ reviews }: Trail): boolean => reviews.some(({ status }) => status === 'asked');

/** The first events of a session, and every decision of people; again for two minutes while the compliance module has one to answer. */
export const useTrail = (id: string): UseQueryResult<Trail> =>
  useRecord(
    trailKey(id),
    ({ platform }) =>
      platform.GET('/v1/flows/sessions/{id}/audit', { params: { path: { id }, query: { limit: 100 } } }),
    { while: isAsked, everyMs: 3_000, times: 40 },
  );

/** A session and its trail; the session is read again once every decision is answered. */
export function useDecidedSession(id: string): { session: UseQueryResult<Session>; trail: UseQueryResult<Trail> } {
  const session = useSession(id);
  const trail = useTrail(id);
  const asked = trail.data !== undefined && isAsked(trail.data);
  const wasAsked = useRef(asked);
  const { refetch } = session;
  useEffect(() => {
    if (wasAsked.current && !asked) void refetch();
    wasAsked.current = asked;
  }, [asked, refetch]);
  return { session, trail };
}

export type ReviewStatus = Trail['reviews'][number]['status'];

/** What became of a decision: the state of its review, once that was read again; null when nothing was written down. */
export interface Decided {
  status: ReviewStatus | null;
  /** Why it was refused. */
  failure: unknown;
}

/** Decides a session. Whatever comes of it, session and trail are read again before it resolves. */
export function useReview(id: string): (body: Review) => Promise<Decided> {
  const call = useCall();
  const queries = useQueryClient();
  const reviewsOf = (): Trail['reviews'] => queries.getQueryData<Trail>(trailKey(id))?.reviews ?? [];
  return async (body) => {
    const params = { path: { id } };
    const idsBefore = reviewsOf().map(({ review_id }) => review_id);
    let failure: unknown = null;
    try {
      await call(({ platform }) => platform.POST('/v1/flows/sessions/{id}/review', { params, body }));
    } catch (error) {
      failure = error;
    }
    await queries.invalidateQueries({ queryKey: SESSIONS });
    const own = reviewsOf().findLast(
      ({ review_id, decision, reason }) =>
        !idsBefore.includes(review_id) && decision === body.decision && reason === body.reason,
    );
    return { status: own?.status ?? null, failure };
  };
}
