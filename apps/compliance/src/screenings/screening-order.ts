import type { Actor } from '@constancia/contracts';
import type { IdempotentRequest, StoredResponse } from '@constancia/idempotency';
import type { PinnedLists } from '../lists/pinned-lists.ts';
import type { RunnableValidation } from '../validations/compiled-validations.ts';
import type { Assessment } from './assess.ts';
import type { KnownOfSubject, ScreeningRequest } from './screening-context.ts';
import type { Trigger } from './screening-history.ts';
import type { ScreeningView } from './screening-view.ts';

/** On whose behalf, and why. */
export interface ScreeningOrder extends ScreeningRequest {
  trigger: Trigger;
  /** Who asked, for the timeline of a case. */
  actor: string;
  /** Who `actor` is; undefined for list updates and for requests of the identity module. */
  by?: Actor | undefined;
  /** UUID of the identity module's request. */
  requestId?: string;
  /** With an Idempotency-Key: the request, and what a repetition is answered, given the text. */
  idempotency?: { request: IdempotentRequest; answer: (text: string) => StoredResponse };
}

/** A screening that was made, with the text of its answer. */
export interface MadeScreening {
  view: ScreeningView;
  text: string;
}

/** What a screening is decided on, and how. */
export interface Basis {
  known: KnownOfSubject;
  validation: RunnableValidation;
  lists: PinnedLists;
  assessment: Assessment;
}
