import { uuidFloor } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { LRUCache } from 'lru-cache';
import { type CaseContext, caseContext } from '../cases/attach-to-case.ts';
import type { ScreeningRequest } from './screening-order.ts';
import type { EarlierScreening } from './screening-history.ts';

/** What is known before a screening is decided. */
export interface KnownOfSubject {
  /** UUID of the published validation of the code; null: there is none. */
  publishedId: string | null;
  /** As far back as was asked for. */
  earlier: EarlierScreening[];
  cases: CaseContext;
}

const DAY_MS = 86_400_000;

/** Reads what a screening needs to know, in one transaction. */
export class ScreeningContext {
  private readonly days = new LRUCache<string, number>({ max: 10_000 });

  constructor(private readonly database: Database) {}

  async read(
    tenantId: string,
    { validationCode, subjectRef, subjectType }: ScreeningRequest,
    days: number,
  ): Promise<KnownOfSubject> {
    // A day more: windows are counted in days of the calendar.
    const since = days === 0 ? null : uuidFloor(new Date(Date.now() - (days + 1) * DAY_MS));
    return this.database.tenant(tenantId, async (tx) => {
      const [[row], cases] = await Promise.all([
        tx.query<{ context: { published: { id: string } | null; earlier: EarlierScreening[] | null } }>(
          `select compliance.screening_context($1, $2, $3, $4, $5) as context`,
          [tenantId, validationCode, subjectType, subjectRef, since],
        ),
        caseContext(tx, tenantId, { subjectRef, subjectType, validationCode }),
      ]);
      return { publishedId: row?.context.published?.id ?? null, earlier: row?.context.earlier ?? [], cases };
    });
  }

  /** How far back the rules of a code looked when they were last asked. */
  daysLastAskedFor(tenantId: string, code: string): number {
    return this.days.get(`${tenantId} ${code}`) ?? 0;
  }

  noteDays(tenantId: string, code: string, days: number): void {
    this.days.set(`${tenantId} ${code}`, days);
  }
}
