import type { Json } from '@constancia/kernel/json';
import type { ListCode } from '@constancia/reference-data';
import type { Decision, SubjectType } from './rule.ts';

/** What the caller says of the subject: the published members, and any others (paths of the field_* predicates). */
export interface SubjectPayload {
  full_name?: string;
  /** `YYYY-MM-DD` */
  birth_date?: string;
  document_type?: string;
  document_number?: string;
  /** ISO 3166-1 alpha-2, either case. */
  country_code?: string;
  /** Whole years. With a birth date, the birth date decides. */
  subject_age?: number;
  kyc_status?: string;
  amount?: number;
  /** ISO 4217, either case. */
  currency?: string;
  [member: string]: Json | undefined;
}

/** An entry of a list that a name, or an identifier, came close to. */
export interface ListMatch {
  list: ListCode;
  entryId: string;
  /** 0 to 1. */
  score: number;
  /** As the list names them: SDGT, TERR… */
  programmes: readonly string[];
}

/** What was found of one name. Both empty: looked for and not found. */
export interface ListMatches {
  /** Accepted: at or above the hit threshold, and not dismissed before. */
  hits: readonly ListMatch[];
  /** Below the hit threshold. */
  nearMisses: readonly ListMatch[];
}

export const PARTY_ROLES = ['legal_representative', 'beneficial_owner', 'related_party'] as const;
export type PartyRole = (typeof PARTY_ROLES)[number];

/** The payload's member that names the parties of a role; it appears in data_gaps when nobody is named. */
export const PARTY_MEMBERS: Readonly<Record<PartyRole, string>> = {
  legal_representative: 'legal_representative',
  beneficial_owner: 'beneficial_owners',
  related_party: 'related_parties',
};

/** A person or organization behind the subject. */
export interface RelatedParty extends ListMatches {
  role: PartyRole;
  /** Where the payload names it: `/beneficial_owners/0`. */
  pointer: string;
  /** ISO 3166-1 alpha-2. */
  countryCode?: string;
  /** 0 to 100, where the payload says. */
  ownershipPercent?: number;
}

export const FATF_STATUSES = ['call_for_action', 'increased_monitoring'] as const;
export type FatfStatus = (typeof FATF_STATUSES)[number];

/** What the tenant knew of this subject before. Days in America/Bogota, `YYYY-MM-DD`. */
export interface SubjectHistory {
  decisions: readonly { decision: Decision; on: string }[];
  screenings: readonly { on: string }[];
}

/**
 * Everything that an evaluation sees: nothing is read from a clock, a list or a store while rules are evaluated. Plain
 * JSON, so that a stored screening is replayed from its stored facts.
 */
export interface Facts {
  subjectType: SubjectType;
  payload: SubjectPayload;
  /** The day of the screening in America/Bogota, `YYYY-MM-DD` (kernel: bogotaDay). */
  screenedOn: string;
  /** From which score on a match is a hit. 0 to 1. */
  hitThreshold: number;
  /** The subject's own matches, of name lists. Null: not looked for (no name, or no rule asks and the tenant's policy allows it). */
  matches: ListMatches | null;
  /** Null: the payload names none. */
  relatedParties: readonly RelatedParty[] | null;
  /** FATF status of the countries that appear in these facts (others may be present); a country left out has none. */
  fatf: Readonly<Record<string, FatfStatus>>;
  /** Null: not known who the subject is. */
  history: SubjectHistory | null;
}
