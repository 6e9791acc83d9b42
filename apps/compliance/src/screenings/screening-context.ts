import { uuidFloor } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { PersonalData, type SubjectKey, type TenantKeyring } from '@constancia/personal-data';
import type { SubjectPayload, SubjectType } from '@constancia/rule-graph';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type CaseContext, type CaseContextRow, contextOf } from '../cases/case-context.ts';
import type { EarlierScreening } from './screening-history.ts';

/** Who is to be screened. */
export interface ScreeningRequest {
  validationCode: string;
  subjectRef: string;
  subjectType: SubjectType;
  /** Checked (payloadErrors). */
  payload: SubjectPayload;
}

/** What is known before a screening is decided. */
export interface KnownOfSubject {
  /** UUID of the published validation of the code; null: there is none. */
  publishedId: string | null;
  /** As far back as was asked for. */
  earlier: EarlierScreening[];
  cases: CaseContext;
  sealing: SubjectSealing;
}

/** What is written of the subject is sealed with. */
export interface SubjectSealing {
  keyring: TenantKeyring;
  /** The key in use; null: the subject has none yet. */
  key: SubjectKey | null;
  /** False: the release before must still be able to read it. */
  isSealed: boolean;
}

const DAY_MS = 86_400_000;

/** One round trip: both functions take the tenant as an argument, and read only what is that tenant's. */
const CONTEXT = `
  select compliance.screening_context($1, $2, $3, $4, $5) as context, c.open_case, c.suppressions,
         c.mode, c.key_id, c.wrapped_key
    from compliance.case_context_v2($1, $4, $3, $2) c`;

/** Of many subjects, in the order of the arrays. */
const CONTEXTS = `
  select compliance.screening_context($1, $2, s.subject_type, s.subject_ref, $5) as context, c.open_case, c.suppressions,
         c.mode, c.key_id, c.wrapped_key
    from unnest($3::text[], $4::text[]) with ordinality as s(subject_type, subject_ref, nth)
   cross join lateral compliance.case_context_v2($1, s.subject_ref, s.subject_type, $2) c order by s.nth`;

/** A day more: windows are counted in days of the calendar. */
const sinceDays = (days: number): string | null =>
  days === 0 ? null : uuidFloor(new Date(Date.now() - (days + 1) * DAY_MS));

interface ContextRow extends CaseContextRow {
  mode: string;
  key_id: string | null;
  /** Hexadecimal. */
  wrapped_key: string | null;
  context: { published: { id: string } | null; earlier: EarlierScreening[] | null };
}

/** Reads what a screening needs to know, in one round trip. */
@Injectable()
export class ScreeningContext {
  private readonly days = new LRUCache<string, number>({ max: 10_000 });

  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
  ) {}

  async read(
    tenantId: string,
    { validationCode, subjectRef, subjectType }: ScreeningRequest,
    days: number,
  ): Promise<KnownOfSubject> {
    const since = sinceDays(days);
    const keyring = await this.personal.tenant(tenantId);
    const [row] = await this.database.prepared<ContextRow>('screening_context_v2', CONTEXT, [
      tenantId,
      validationCode,
      subjectType,
      subjectRef,
      since,
    ]);
    return this.knownOf(keyring, row);
  }

  /** The same of many subjects, for screenings by one code, in their order. */
  async readMany(
    tenantId: string,
    validationCode: string,
    subjects: readonly Pick<ScreeningRequest, 'subjectRef' | 'subjectType'>[],
    days: number,
  ): Promise<KnownOfSubject[]> {
    const keyring = await this.personal.tenant(tenantId);
    const rows = await this.database.prepared<ContextRow>('screening_contexts', CONTEXTS, [
      tenantId,
      validationCode,
      subjects.map(({ subjectType }) => subjectType),
      subjects.map(({ subjectRef }) => subjectRef),
      sinceDays(days),
    ]);
    return rows.map((row) => this.knownOf(keyring, row));
  }

  private knownOf(keyring: TenantKeyring, row: ContextRow | undefined): KnownOfSubject {
    const key =
      row?.key_id && row.wrapped_key ? keyring.subject(row.key_id, Buffer.from(row.wrapped_key, 'hex')) : null;
    return {
      publishedId: row?.context.published?.id ?? null,
      earlier: row?.context.earlier ?? [],
      cases: contextOf(row, key),
      sealing: { keyring, key, isSealed: this.personal.noteMode(row?.mode) },
    };
  }

  /** How far back the rules of a code looked when they were last asked. */
  daysLastAskedFor(tenantId: string, code: string): number {
    return this.days.get(`${tenantId} ${code}`) ?? 0;
  }

  noteDays(tenantId: string, code: string, days: number): void {
    this.days.set(`${tenantId} ${code}`, days);
  }
}
