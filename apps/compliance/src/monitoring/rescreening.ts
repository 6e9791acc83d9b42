import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '@constancia/kernel';
import { Database, isUniqueViolation } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { NotFound } from '@constancia/problem-json';
import type { SubjectType } from '@constancia/rule-graph';
import { Injectable } from '@nestjs/common';
import { ListContents } from '../lists/list-contents.ts';
import { Lists } from '../lists/lists.ts';
import type { ScreeningOutcome } from '../screenings/assess.ts';
import { Screen } from '../screenings/screen.ts';
import type { ScreeningOrder } from '../screenings/screening-order.ts';
import type { ConcernedSubject } from './concern-jobs.ts';
import { ConcernSearch } from './concern-search.ts';
import { packedChangesOf } from './list-changes.ts';
import { nextSubjects } from './monitored-subjects.sql.ts';
import type { SubjectKey } from './rescreen-job.entity.ts';
import { type ClaimedJob, RescreenJobs } from './rescreen-jobs.ts';
import { nameOf, type OpenedStore, reaches, storedOutcomes, watchedSubject } from './stored-outcomes.sql.ts';

/** Subjects that are read and compared at a time. */
const BATCH = 5_000;
/** Subjects whose stored results are read at a time. */
const READ_AT_ONCE = 200;
/** Subjects that are screened again at a time: they share commits, and leave connections for the requests of the API. */
const SCREENED_AT_ONCE = 6;
/** How often a subject is looked at again because somebody screened it meanwhile. */
const ATTEMPTS = 3;

/** The result of a pass. */
export interface RescreenReport {
  subjects: number;
  affected: number;
  rescreened: number;
}

/** A batch, and whom of it the change concerns. */
interface ComparedBatch {
  /** The key of its last subject. */
  position: SubjectKey;
  subjects: number;
  concerned: ConcernedSubject[];
}

/**
 * Screens subjects again after a list changed. Every subject is compared with the few entries that changed; those that may match one
 * are screened again with all current lists, and the screening is kept when its matches changed. Free of charge.
 */
@Injectable()
export class Rescreening {
  private readonly search = new ConcernSearch();

  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly jobs: RescreenJobs,
    private readonly lists: Lists,
    private readonly contents: ListContents,
    private readonly screen: Screen,
  ) {}

  /** One pass over the subjects of a job's tenant. Answers undefined when the lease was lost: another process goes on. */
  async run(job: ClaimedJob, signal: AbortSignal): Promise<RescreenReport | undefined> {
    const { database, contents, jobs, personal } = this;
    await this.requireListLoaded(job);
    const keyring = await personal.tenant(job.tenant_id);
    const changes = await packedChangesOf(database, contents, job);
    await this.search.begin(job.list, changes, keyring.toBytes());
    const total: RescreenReport = { subjects: 0, affected: 0, rescreened: 0 };
    for await (const { position, subjects, concerned } of this.compared(job)) {
      const rescreened = await this.rescreen(job, concerned, signal);
      const done = { subjects, affected: concerned.length, rescreened };
      if (!(await jobs.advance(job, { position, ...done }))) return undefined;
      total.subjects += done.subjects;
      total.affected += done.affected;
      total.rescreened += done.rescreened;
    }
    return (await jobs.finish(job)) ? total : undefined;
  }

  /** There is no further job: its threads end. */
  async close(): Promise<void> {
    await this.search.close();
  }

  /** The tenant's subjects in batches, in the order of their key. Batches are read and compared while earlier ones are worked on. */
  private async *compared(job: ClaimedJob): AsyncGenerator<ComparedBatch> {
    const ahead: { position: SubjectKey; subjects: number; concerned: Promise<ConcernedSubject[]> }[] = [];
    let after = job.position;
    let more = true;
    while (more || ahead.length > 0) {
      while (more && ahead.length <= this.search.atOnce) {
        const { last, count, batch } = await nextSubjects(this.database, job, after, BATCH);
        more = count === BATCH;
        if (last === null) break;
        const concerned = this.search.concerned(batch);
        concerned.catch(() => undefined); // thrown where its turn comes
        ahead.push({ position: last, subjects: count, concerned });
        after = last;
      }
      const next = ahead.shift();
      if (next) yield { ...next, concerned: await next.concerned };
    }
  }

  /** The job is as old as the version: this process may not have loaded it yet. */
  private async requireListLoaded(job: ClaimedJob): Promise<void> {
    const { database, lists } = this;
    await lists.refresh();
    const { rows } = await lists.current(job.tenant_id);
    const row = rows.find(({ list, tenant_id }) => list === job.list && (tenant_id !== null) === job.own);
    if (!(await reaches(database, job, row?.id))) throw new Error(`${nameOf(job)} is not loaded here yet`);
  }

  private async rescreen(job: ClaimedJob, concerned: ConcernedSubject[], signal: AbortSignal): Promise<number> {
    let rescreened = 0;
    for (let from = 0; from < concerned.length; from += READ_AT_ONCE) {
      const some = concerned.slice(from, from + READ_AT_ONCE);
      const before = await storedOutcomes(await this.opened(job.tenant_id), job.tenant_id, some);
      const waiting = some.values();
      const lane = async (): Promise<void> => {
        for (const subject of waiting) {
          signal.throwIfAborted();
          if (await this.screenAgain(job.tenant_id, subject, before)) rescreened += 1;
        }
      };
      await Promise.all(Array.from({ length: SCREENED_AT_ONCE }, lane));
    }
    return rescreened;
  }

  private async opened(tenantId: string): Promise<OpenedStore> {
    const { database, personal } = this;
    return { database, keyring: await personal.tenant(tenantId) };
  }

  /** Whether the subject has a new screening now. */
  private async screenAgain(
    tenantId: string,
    concerned: ConcernedSubject,
    known: ReadonlyMap<string, ScreeningOutcome>,
  ): Promise<boolean> {
    const store = await this.opened(tenantId);
    let [subject, before]: [ConcernedSubject | undefined, ReadonlyMap<string, ScreeningOutcome>] = [concerned, known];
    for (let attempt = 1; subject !== undefined && attempt <= ATTEMPTS; attempt++) {
      try {
        return await this.screenIfChanged(tenantId, subject, before.get(subject.screening_id));
      } catch (error) {
        if (error instanceof NotFound) return false; // the code has no published validation any more
        if (!isUniqueViolation(error, 'screening_request_key')) throw error;
        subject = await watchedSubject(store, tenantId, subject);
        if (subject) before = await storedOutcomes(store, tenantId, [subject]);
      }
    }
    return false;
  }

  private async screenIfChanged(
    tenantId: string,
    subject: ConcernedSubject,
    before: ScreeningOutcome | undefined,
  ): Promise<boolean> {
    const stored = before && matchesText(before);
    const order: ScreeningOrder = {
      validationCode: subject.validation_code,
      subjectRef: subject.subject_ref,
      subjectType: subject.subject_type as SubjectType,
      payload: subject.payload,
      trigger: 'list_update',
      actor: 'system',
      requestId: requestIdOf(subject.screening_id),
    };
    return (await this.screen.createIf(tenantId, order, (outcome) => matchesText(outcome) !== stored)) !== undefined;
  }
}

/** All that the lists contribute to an outcome: equal texts, nothing new. */
export function matchesText({ hits, near_misses, list_hits }: ScreeningOutcome): string {
  return canonicalJson({ hits, near_misses, list_hits } as unknown as Json);
}

/** A screening is followed by at most one of a list's change, however many processes try: the store refuses the second. */
function requestIdOf(screeningId: string): string {
  const hash = createHash('sha256').update(`list_update ${screeningId}`).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
