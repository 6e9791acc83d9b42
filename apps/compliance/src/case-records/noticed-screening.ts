import type { Actor } from '@constancia/contracts';
import type { ListCode } from '@constancia/reference-data';

/** What a case is about: at most one that is not resolved exists for each. */
export interface CaseKey {
  subjectRef: string;
  subjectType: 'natural' | 'legal';
  validationCode: string;
}

/** A list entry that a person has to look at. */
export interface CaseHit {
  list: ListCode;
  entry_id: string;
  /** entryContentHash of the entry. */
  entry_hash: string;
  /** subjectFactsHash of whom it was compared with: the subject, or a party behind it. */
  subject_hash: string;
  /** The entry's primary name, and the one that came closest. */
  name: string;
  matched_name: string;
  /** 0 to 1. */
  score: number;
  /** Where the payload names the party; absent for the subject itself. */
  party?: string;
}

/** Who was screened, as far as the export and a ROS draft tell. Members of the payload as given. */
export interface CaseSubject {
  full_name?: string;
  birth_date?: string;
  document_type?: string;
  document_number?: string;
  country_code?: string;
  amount?: number;
  currency?: string;
}

/** A screening whose decision asks for a person. Ids are UUIDs. */
export interface NoticedScreening extends CaseKey {
  screeningId: string;
  validationVersion: number;
  /** Of the identity module, when it asked. */
  requestId?: string | null;
  trigger: 'api' | 'identity' | 'list_update';
  /** Who asked: X-Actor or the key's prefix; `system` for a list update. */
  actor: string;
  by?: Actor | undefined;
  decision: 'review' | 'reject';
  score: number;
  rulesFired: string[];
  listHits: ListCode[];
  listVersions: Record<string, string>;
  subject: CaseSubject;
  hits: CaseHit[];
  at: Date;
}
