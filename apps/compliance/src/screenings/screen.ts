import { ChargedWork } from '@constancia/credit-ledger';
import { hintDeliveries } from '@constancia/events';
import type { StoredResponse } from '@constancia/idempotency';
import { bogotaDay } from '@constancia/kernel';
import { Conflict, referenced, UnknownReference } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import { caseChanged } from '../cases/attach-to-case.ts';
import { Lists } from '../lists/lists.ts';
import { CompiledValidations, type RunnableValidation } from '../validations/compiled-validations.ts';
import { assess, type Assessment, type ScreeningOutcome } from './assess.ts';
import { dismissals } from './dismissals.ts';
import { type KnownOfSubject, ScreeningContext, type ScreeningRequest } from './screening-context.ts';
import { daysAskedFor, historyOf } from './screening-history.ts';
import type { Basis, MadeScreening, ScreeningOrder } from './screening-order.ts';
import { unitOf } from './screening-unit.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { usableLists } from './usable-lists.ts';

/** What a dry run finds. */
export interface DryRunResult {
  assessment: Assessment;
  validation: RunnableValidation;
}

type WorthKeeping = (outcome: ScreeningOutcome) => boolean;
type CreateResult = MadeScreening | StoredResponse | undefined;

/** Somebody worked on the subject's case since it was read. */
const CASE_CHANGED = Symbol('case changed');
/** How often a screening is decided again because an analyst worked on its case meanwhile. */
const MORE_ATTEMPTS = 5;

/** Makes screenings: reads what is known, matches, evaluates, and commits the result with everything that follows from it. */
@Injectable()
export class Screen {
  private readonly subjects = new KeyedMutex();

  constructor(
    private readonly context: ScreeningContext,
    private readonly validations: CompiledValidations,
    private readonly lists: Lists,
    private readonly work: ChargedWork,
    private readonly queues: Queues,
  ) {}

  /**
   * Screens and keeps the result; answers the stored answer when the order's key was used before. One that the API asked for is
   * charged. Throws NotFound (no published validation), DependencyUnavailable (lists), InsufficientCreditsError and what
   * ChargedWork.commit throws: then nothing was written.
   */
  async create(tenantId: string, order: ScreeningOrder): Promise<MadeScreening | StoredResponse> {
    try {
      return (await this.createIf(tenantId, order, () => true)) as MadeScreening | StoredResponse;
    } catch (error) {
      // What cannot be done now may have been done before: lists and rules come and go, a stored answer stays.
      const stored = order.idempotency && (await this.work.earlierAnswer(tenantId, order.idempotency.request));
      if (stored) return stored;
      throw error;
    }
  }

  /** The same for a result that is worth keeping; of one that is not, nothing is written, and the answer is undefined. */
  async createIf(tenantId: string, order: ScreeningOrder, isWorthKeeping: WorthKeeping): Promise<CreateResult> {
    const made = await this.attempt(tenantId, order, isWorthKeeping);
    if (made !== CASE_CHANGED) return made;
    // Screenings of one subject that come at once would go on getting into each other's way.
    return this.subjects.run(JSON.stringify([tenantId, order.subjectRef, order.validationCode]), async () => {
      for (let attempt = 1; attempt <= MORE_ATTEMPTS; attempt++) {
        const again = await this.attempt(tenantId, order, isWorthKeeping);
        if (again !== CASE_CHANGED) return again;
      }
      throw new Conflict('The case of this subject is being worked on: send the screening again.');
    });
  }

  private async attempt(
    tenantId: string,
    order: ScreeningOrder,
    isWorthKeeping: WorthKeeping,
  ): Promise<CreateResult | typeof CASE_CHANGED> {
    const basis = await this.published(tenantId, order);
    if (!isWorthKeeping(basis.assessment.outcome)) return undefined;
    const { unit, made } = unitOf(tenantId, order, basis);
    try {
      const replayed = await this.work.commit(unit);
      if (replayed) return replayed;
    } catch (error) {
      if (caseChanged(error)) return CASE_CHANGED;
      throw error;
    }
    hintDeliveries(this.queues, unit.events ?? []);
    return made();
  }

  /**
   * The same without a trace: nothing is written, nothing charged. By the validation named, or by the published version of the
   * code, else its newest draft. Throws NotFound and DependencyUnavailable.
   */
  async dryRun(tenantId: string, request: ScreeningRequest, validationId?: string): Promise<DryRunResult> {
    if (validationId !== undefined) {
      return this.dryRunWith(tenantId, request, await this.named(tenantId, validationId));
    }
    const { known, validation } = await this.known(tenantId, request);
    if (validation) return { validation, ...(await this.assessed(tenantId, request, known, validation)) };
    const draft = await this.validations.newestDraft(tenantId, request.validationCode);
    if (!draft) throw noPublished(request.validationCode, 'nor a draft');
    return this.dryRunWith(tenantId, request, draft);
  }

  private named(tenantId: string, validationId: string): Promise<RunnableValidation> {
    const detail = 'There is no validation with this validation_id.';
    return referenced('/validation_id', detail, this.validations.byId(tenantId, validationId));
  }

  private async dryRunWith(
    tenantId: string,
    request: ScreeningRequest,
    validation: RunnableValidation,
  ): Promise<DryRunResult> {
    const known = await this.context.read(tenantId, request, daysAskedFor(validation.compiled.needs));
    return { validation, ...(await this.assessed(tenantId, request, known, validation)) };
  }

  private async published(tenantId: string, request: ScreeningRequest): Promise<Basis> {
    const { known, validation } = await this.known(tenantId, request);
    if (!validation) throw noPublished(request.validationCode);
    return { known, validation, ...(await this.assessed(tenantId, request, known, validation)) };
  }

  /** What is known of the subject, as far back as the published rules look, which are only known once it was read. */
  private async known(tenantId: string, request: ScreeningRequest) {
    const days = this.context.daysLastAskedFor(tenantId, request.validationCode);
    const known = await this.context.read(tenantId, request, days);
    if (known.publishedId === null) return { known, validation: undefined };
    const validation = await this.validations.byUuid(tenantId, known.publishedId);
    const needed = daysAskedFor(validation.compiled.needs);
    this.context.noteDays(tenantId, request.validationCode, needed);
    if (needed <= days) return { known, validation };
    const { earlier } = await this.context.read(tenantId, request, needed);
    return { known: { ...known, earlier }, validation };
  }

  private async assessed(
    tenantId: string,
    request: ScreeningRequest,
    known: KnownOfSubject,
    validation: RunnableValidation,
  ): Promise<Pick<Basis, 'assessment' | 'lists'>> {
    const lists = await usableLists(this.lists, tenantId);
    return { assessment: assessWith(request, { known, validation, lists }), lists };
  }
}

/** What is found of a subject, given all that is known. */
export function assessWith(
  { subjectType, payload }: ScreeningRequest,
  { known, validation, lists }: Omit<Basis, 'assessment'>,
): Assessment {
  return assess({
    subjectType,
    payload,
    screenedOn: bogotaDay(Date.now()),
    lists,
    history: historyOf(known.earlier),
    validation: validation.compiled,
    isDismissed: dismissals(known.cases.suppressions, lists.set, subjectType, known.sealing.keyring),
  });
}

export function noPublished(code: string, and?: string): UnknownReference {
  return new UnknownReference(
    '/validation_code',
    `The code ${code} has no published validation${and ? `, ${and}` : ''}: create one, add rules, publish it.`,
  );
}
