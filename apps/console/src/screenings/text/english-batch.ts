import type { BATCH as SPANISH } from './spanish-batch.ts';

export const BATCH: typeof SPANISH = {
  open: 'Screen a batch',
  title: 'Batch of screenings',
  lead: (most) =>
    `Up to ${most} subjects of a file. It is checked as a whole before it starts and runs while this page is open; each screening stays in the list of screenings.`,
  noRules: 'No validation is published yet. Publish one to screen with it.',
  file: 'CSV file',
  fileHint: 'UTF-8, with a header; commas or semicolons.',
  lines: 'Or its lines',
  linesHint: 'With the header on the first line. Used when there is no file.',
  columns: 'Columns; only subject_ref must be there:',
  check: 'Check',
  faults: (count, shown) =>
    count === 1 ? 'There is one fault. Nobody was screened.' : `There are ${shown} faults. Nobody was screened.`,
  faultsShown: (most) => `The first ${most} are below.`,
  faultsTitle: 'Faults by line',
  line: 'Line',
  fault: 'Fault',
  faultOf: {
    not_utf8: () => 'The file is not UTF-8: its accents would be misread. In Excel, save it as “CSV UTF-8”.',
    letters: () => 'Letters were lost (�) before the lines came here. Copy them again, or save them as “CSV UTF-8”.',
    unclosed: () => 'The quotes are not closed, or text follows them.',
    unknown_column: (what) => `There is no column “${what}”.`,
    no_reference_column: () => 'The column subject_ref is missing.',
    empty: () => 'There are no lines below the header.',
    too_many_rows: (what) => `These are ${what} lines. Split the file.`,
    cells: (what) => `Cells in the line: ${what}. The header has another number of them.`,
    subject_ref: () => 'The reference is missing, or has more than 200 characters.',
    subject_type: (what) => `“${what}” is neither natural (a person) nor legal (an organization).`,
    birth_date: (what) => `“${what}” is not a date such as 1980-12-31.`,
    document_type: (what) => `“${what}” is not CC, CE, TI, PA, PPT or NIT.`,
    country_code: (what) => `“${what}” is not a country of two letters, such as CO.`,
    amount: (what) =>
      `“${what}” is not an amount such as 1200000.50: no separator of thousands, and a point before the cents.`,
    currency: (what) => `“${what}” is not a currency of three letters, such as COP.`,
  },
  ready: (count, credits, each) =>
    `${count === 1 ? 'One subject is ready' : `${count} subjects are ready`}. It costs up to ${credits} credits: ${each} for each result.`,
  progress: (screened, all, refused) =>
    `${screened} of ${all} screened${refused === 0 ? '' : `; ${refused} could not be screened`}.`,
  next: { ready: 'Start', running: 'Pause', pausing: 'Pausing…', stopped: 'Continue' },
  save: 'Download the results',
  another: 'Another batch',
  result: 'Result',
  waiting: 'Waiting',
  show: 'Show (new tab)',
  showCase: 'Show the case (new tab)',
  leave: {
    title: 'The batch is not finished',
    lead: 'If you leave it, it stops. What was screened is kept, but cannot be continued: if you upload the file again, it is screened and charged again.',
    go: 'Leave the batch',
  },
};
