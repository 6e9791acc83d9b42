import { canonicalJson } from '@constancia/kernel/canonical-json';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isConflict } from '../../api/api-error.ts';
import { type Tagged, withEtag } from '../../api/apis.ts';
import { useCall } from '../../member/queries.ts';
import { FLOWS } from './flow-parts.tsx';
import type { FlowStep, FlowView } from './step-form.ts';

/** Why a draft was not saved: somebody else saved other steps, or published it. */
export type DraftConflict = 'changed' | 'notDraft';

/**
 * Saves, copies and publishes a draft. Saving replaces the steps as they were opened or sent from here. If somebody else changed them, it
 * fails once, with the API's state-conflict; saving again replaces them.
 */
export function useDraft(flow: Tagged<FlowView>) {
  const call = useCall();
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<DraftConflict>('notDraft');
  /** Of the steps that saving replaces. */
  const etag = useRef(flow.etag);
  /** What was sent from here, maybe without an answer. */
  const sent = useRef(new Set<string>());
  /** The draft that `copy` made; another attempt writes into the same one. */
  const copied = useRef<FlowView | null>(null);
  const params = { path: { id: flow.id } };

  const stored = () => call(({ platform }) => withEtag(platform.GET('/v1/flows/{id}', { params })));
  const put = (id: string, steps: FlowStep[], replaced?: string) => {
    const header = replaced === undefined ? {} : { 'If-Match': replaced };
    return call(
      ({ platform }) =>
        withEtag(platform.PUT('/v1/flows/{id}/steps', { params: { path: { id }, header }, body: { steps } })),
      FLOWS,
    );
  };
  const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: FLOWS });
  const isPublished = (now: FlowView, steps: FlowStep[]): boolean =>
    now.status === 'published' && canonicalJson(now.steps) === canonicalJson(steps);

  /** Answers whether the flow is published with these steps already: an earlier attempt did it, and its answer was lost. */
  const save = async (steps: FlowStep[]): Promise<boolean> => {
    sent.current.add(canonicalJson(steps));
    try {
      etag.current = (await put(flow.id, steps, etag.current)).etag;
      return false;
    } catch (failure) {
      if (!isConflict(failure)) throw failure;
      const now = await stored();
      if (isPublished(now, steps)) {
        await readAgain();
        return true;
      }
      etag.current = now.etag;
      const isDraft = now.status === 'draft';
      if (isDraft && sent.current.has(canonicalJson(now.steps))) return save(steps);
      setConflict(isDraft ? 'changed' : 'notDraft');
      throw failure;
    }
  };
  const publish = async (steps: FlowStep[]): Promise<void> => {
    if (await save(steps)) return;
    try {
      await call(({ platform }) => platform.POST('/v1/flows/{id}/publish', { params }), FLOWS);
    } catch (failure) {
      if (!isConflict(failure) || !isPublished(await stored(), steps)) throw failure;
      await readAgain();
    }
  };
  /** Another draft with these steps; answers its id. */
  const copy = async (steps: FlowStep[]): Promise<string> => {
    copied.current ??= await call(({ platform }) => platform.POST('/v1/flows/{id}/clone', { params }), FLOWS);
    const { id } = await put(copied.current.id, steps);
    return id;
  };
  return { save, publish, copy, conflict };
}
