/** Each kind of content that a published circuit may not have. Track 1 warns of it. */
export const HAZARD_CODES = [
  'has_javascript',
  'has_automatic_action',
  'has_launch_action',
  'has_submit_form',
  'has_import_data',
  'has_xfa',
  'has_embedded_file',
  'has_print_layer',
  'header_not_first',
  'content_too_large',
] as const;
export type HazardCode = (typeof HAZARD_CODES)[number];

export interface Finding {
  code: HazardCode;
  /** A sentence for the person who uploads the document: what it is, where, and what to do. */
  detail: string;
}

/** Of each kind. */
const MOST_OF_ONE = 16;

/** Findings without their doubles, and of one kind so many that a person can read them. */
export function readable(findings: Iterable<Finding>): Finding[] {
  const counts = new Map<HazardCode, number>();
  const known = new Set<string>();
  const kept: Finding[] = [];
  for (const finding of findings) {
    if (known.has(finding.detail)) continue;
    const count = (counts.get(finding.code) ?? 0) + 1;
    counts.set(finding.code, count);
    known.add(finding.detail);
    if (count <= MOST_OF_ONE) kept.push(finding);
  }
  for (const [code, count] of counts)
    if (count > MOST_OF_ONE)
      kept.push({ code, detail: `There are ${count - MOST_OF_ONE} more findings of this kind in the document.` });
  return kept.sort((one, other) => HAZARD_CODES.indexOf(one.code) - HAZARD_CODES.indexOf(other.code));
}
