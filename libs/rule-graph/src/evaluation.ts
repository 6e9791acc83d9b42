import type { ListCode } from '@constancia/reference-data';
import type { Decision } from './rule.ts';

/** An action that fired. */
export interface Finding {
  rule_code: string;
  node_id: string;
  decision: Decision;
  score: number;
  reason: string;
}

/** missing: absent or blank; invalid: present, but not what the field means; conflict: contradicts another field. */
export type GapKind = 'missing' | 'conflict' | 'invalid';

/** A field that made a condition unknown, or that contradicts another. `field` is the payload's member, or path in it. */
export interface DataGap {
  field: string;
  kind: GapKind;
}

/** The result of a rule set, in the form in which callers see it. Equal facts give an equal result, to the byte. */
export interface Evaluation {
  /** The most severe decision of the findings; approve when there are none. */
  decision: Decision;
  /** The sum of the findings' scores. */
  score: number;
  /** By rule (position, then code), and within a rule in topological order. */
  findings: Finding[];
  /** Lists with a hit of the subject itself: OFAC, ONU, PEP, EU_SANCTIONS, FATF (by country), INTERNAL. */
  list_hits: ListCode[];
  /** By field, then kind; each once. */
  data_gaps: DataGap[];
}

/** Each gap once, by field, then kind: as an evaluation reports them. */
export function gapsOnce(gaps: readonly DataGap[]): DataGap[] {
  if (gaps.length === 0) return [];
  const byKey = new Map(gaps.map(({ field, kind }) => [`${field} ${kind}`, { field, kind }]));
  return [...byKey.values()].sort((a, b) => compared(a.field, b.field) || compared(a.kind, b.kind));
}

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
