import { ageOn, isDay } from '@constancia/kernel/calendar';
import { ALL_LIST_CODES, isCountry, isCurrency } from '@constancia/reference-data';
import type { Json } from '@constancia/kernel/json';
import type { ListCode } from '@constancia/reference-data';
import type { DataGap, GapKind } from '../evaluation.ts';
import type { Facts, FatfStatus, ListMatch, SubjectPayload } from '../facts.ts';

/** Why something is not known. Never empty. */
export type Gaps = readonly DataGap[];
/** A condition's answer: true, false, or unknown for these reasons. */
export type Outcome = boolean | Gaps;

export const gap = (field: string, kind: GapKind): Gaps => Object.freeze([Object.freeze({ field, kind })]);

/** A value's two gaps, made once. */
const gapsOf = (field: string) => ({ missing: gap(field, 'missing'), invalid: gap(field, 'invalid') });

const GAPS = {
  full_name: gapsOf('full_name'),
  birth_date: gapsOf('birth_date'),
  subject_age: gapsOf('subject_age'),
  country_code: gapsOf('country_code'),
  kyc_status: gapsOf('kyc_status'),
  amount: gapsOf('amount'),
  currency: gapsOf('currency'),
  document_type: gapsOf('document_type'),
  document_number: gapsOf('document_number'),
};
const AGE_CONFLICT = gap('subject_age', 'conflict');
const NONE: Gaps = Object.freeze([]);

const BIT = new Map(ALL_LIST_CODES.map((list, nth) => [list, 1 << nth]));
export const FATF_BIT = BIT.get('FATF') as number;

/** One bit for each list, in the order of ALL_LIST_CODES. */
export function listMask(lists: readonly ListCode[]): number {
  let mask = 0;
  for (const list of lists) mask |= BIT.get(list) ?? 0;
  return mask;
}

export function maskOfMatches(matches: readonly ListMatch[]): number {
  let mask = 0;
  for (const { list } of matches) mask |= BIT.get(list) ?? 0;
  return mask;
}

export const inMask = (mask: number, list: ListCode) => ((BIT.get(list) ?? 0) & mask) !== 0;

/** Blank counts as absent: a form's empty field says nothing. */
const isBlank = (value: Json | undefined) =>
  value === undefined || value === null || (typeof value === 'string' && (value === '' || value.trim() === ''));

/** What the facts say, read once for all conditions: each value, or why it is not known. */
export class Reading {
  readonly payload: SubjectPayload;
  readonly birthDate: string | Gaps;
  readonly age: number | Gaps;
  readonly country: string | Gaps;
  readonly currency: string | Gaps;
  readonly amount: number | Gaps;
  /** Lists with a hit of the subject, FATF by its country. */
  readonly hitMask: number;
  /** Whether no hit means that there is none. */
  readonly nameGap: Gaps | null;
  /** Contradictions and impossible values that are reported whatever the rules ask. */
  readonly conflicts: Gaps;

  constructor(readonly facts: Facts) {
    const { payload } = facts;
    this.payload = payload;
    this.birthDate = birthDateOf(payload, facts.screenedOn);
    const declared = ageOf(payload);
    const computed = typeof this.birthDate === 'string' ? ageOn(this.birthDate, facts.screenedOn) : declared;
    // A birth date that is no birth date does not make a declared age unknown.
    this.age = typeof computed === 'number' || !isBlank(payload.subject_age) ? computed : this.ageGap();
    this.country = codeOf(payload.country_code, isCountry, GAPS.country_code);
    this.currency = codeOf(payload.currency, isCurrency, GAPS.currency);
    this.amount = amountOf(payload.amount);
    this.hitMask = this.maskOf(facts);
    this.nameGap = nameGapOf(facts);
    this.conflicts = this.conflictsWith(declared);
  }

  /** The subject's own text of a member, trimmed. */
  text(member: 'kyc_status' | 'document_type' | 'document_number'): string | Gaps {
    const value = this.payload[member] as Json | undefined;
    if (isBlank(value)) return GAPS[member].missing;
    return typeof value === 'string' ? value.trim() : GAPS[member].invalid;
  }

  fatfStatus(country: string): FatfStatus | undefined {
    return Object.hasOwn(this.facts.fatf, country) ? this.facts.fatf[country] : undefined;
  }

  private ageGap(): Gaps {
    return this.birthDate === GAPS.birth_date.invalid ? GAPS.birth_date.invalid : GAPS.subject_age.missing;
  }

  private maskOf(facts: Facts): number {
    const named = facts.matches ? maskOfMatches(facts.matches.hits) : 0;
    return typeof this.country === 'string' && this.fatfStatus(this.country) !== undefined ? named | FATF_BIT : named;
  }

  private conflictsWith(declared: number | Gaps): Gaps {
    if (this.birthDate === GAPS.birth_date.invalid) return this.birthDate;
    const apart = typeof declared === 'number' && typeof this.birthDate === 'string';
    return apart && Math.abs((this.age as number) - declared) > 1 ? AGE_CONFLICT : NONE;
  }
}

function birthDateOf(payload: SubjectPayload, today: string): string | Gaps {
  const value = payload.birth_date as Json | undefined;
  if (isBlank(value)) return GAPS.birth_date.missing;
  return typeof value === 'string' && isDay(value) && value <= today ? value : GAPS.birth_date.invalid;
}

function ageOf(payload: SubjectPayload): number | Gaps {
  const value = payload.subject_age as Json | undefined;
  if (isBlank(value)) return GAPS.subject_age.missing;
  const possible = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 150;
  return possible ? value : GAPS.subject_age.invalid;
}

function amountOf(value: Json | undefined): number | Gaps {
  if (isBlank(value)) return GAPS.amount.missing;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : GAPS.amount.invalid;
}

function codeOf(
  value: Json | undefined,
  isCode: (code: string) => boolean,
  gaps: { missing: Gaps; invalid: Gaps },
): string | Gaps {
  if (typeof value === 'string' && isCode(value)) return value; // as almost all are written
  if (isBlank(value)) return gaps.missing;
  const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return isCode(code) ? code : gaps.invalid;
}

function nameGapOf(facts: Facts): Gaps | null {
  const name = facts.payload.full_name as Json | undefined;
  if (isBlank(name)) return GAPS.full_name.missing;
  if (typeof name !== 'string') return GAPS.full_name.invalid;
  return facts.matches === null ? GAPS.full_name.missing : null;
}
