import { canonicalJson } from '@constancia/kernel/canonical-json';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useCall } from '../../member/queries.ts';
import { FLOWS } from './flow-parts.tsx';
import type { FlowStep, FlowView } from './step-form.ts';

/** The slug of what `save` throws when somebody else saved other steps. */
export const CHANGED = 'draft-changed';

const changed = (): ApiError => new ApiError({ status: 412, waitSeconds: null, document: { type: CHANGED } });

/**
 * Saves, copies and publishes a draft. The API replaces steps without a precondition, so the stored steps are read before. If somebody else
 * changed them, saving fails once with CHANGED; saving again replaces them.
 */
export function useDraft(flow: FlowView) {
  const call = useCall();
  const queries = useQueryClient();
  /** Steps that may be replaced: as they were opened, or sent from here. */
  const known = useRef<string[]>([canonicalJson(flow.steps)]);
  /** The draft that `copy` made; another attempt writes into the same one. */
  const copied = useRef<FlowView | null>(null);
  const params = { path: { id: flow.id } };

  const stored = (): Promise<FlowView> => call(({ platform }) => platform.GET('/v1/flows/{id}', { params }));
  const put = (id: string, steps: FlowStep[]): Promise<FlowView> =>
    call(({ platform }) => platform.PUT('/v1/flows/{id}/steps', { params: { path: { id } }, body: { steps } }), FLOWS);
  const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: FLOWS });
  const isPublished = (now: FlowView, steps: FlowStep[]): boolean =>
    now.status === 'published' && canonicalJson(now.steps) === canonicalJson(steps);

  /** Answers whether the flow is published with these steps already: an earlier attempt did it, and its answer was lost. */
  const save = async (steps: FlowStep[]): Promise<boolean> => {
    const now = await stored();
    if (isPublished(now, steps)) {
      await readAgain();
      return true;
    }
    const [theirs, ours] = [canonicalJson(now.steps), canonicalJson(steps)];
    const isNews = now.status === 'draft' && theirs !== ours && !known.current.includes(theirs);
    known.current.push(isNews ? theirs : ours);
    if (isNews) throw changed();
    const { steps: saved } = await put(flow.id, steps);
    known.current = [canonicalJson(saved)];
    return false;
  };
  const publish = async (steps: FlowStep[]): Promise<void> => {
    if (await save(steps)) return;
    try {
      await call(({ platform }) => platform.POST('/v1/flows/{id}/publish', { params }), FLOWS);
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.status === 409) || !isPublished(await stored(), steps))
        throw failure;
      await readAgain();
    }
  };
  /** Another draft with these steps; answers its id. */
  const copy = async (steps: FlowStep[]): Promise<string> => {
    copied.current ??= await call(({ platform }) => platform.POST('/v1/flows/{id}/clone', { params }), FLOWS);
    const { id } = await put(copied.current.id, steps);
    return id;
  };
  return { save, publish, copy };
}
