import { HAZARD_CODES } from './hazards/finding.ts';
import type { SealingFailure } from './sealing-failure.ts';

/** What a template may be warned of. Those of HAZARD_CODES keep a circuit from being published. */
export const TEMPLATE_WARNING_CODES = [
  'placeholder_outside_page',
  'invalid_pdf',
  'encrypted_pdf',
  'already_signed',
  ...HAZARD_CODES,
] as const;
export type TemplateWarningCode = (typeof TEMPLATE_WARNING_CODES)[number];

export interface TemplateWarning {
  code: TemplateWarningCode;
  /** A sentence for the person who uploads the template. */
  detail: string;
}

/** What a look at a template found. Warnings never refuse it: the sealing run fails such a request. */
export interface TemplateReport {
  /** null when the pages cannot be read. */
  pageCount: number | null;
  /** Points, as a viewer shows the first page; null as well. */
  firstPage: { width: number; height: number } | null;
  warnings: TemplateWarning[];
}

/** The report on a file that cannot be read at all. One that is too much work is, to who uploads it, no valid template. */
export function unreadable(failure: SealingFailure): TemplateReport {
  const code = failure.code === 'encrypted_pdf' ? 'encrypted_pdf' : 'invalid_pdf';
  return { pageCount: null, firstPage: null, warnings: [{ code, detail: failure.message }] };
}
