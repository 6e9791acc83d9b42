import { ENGLISH } from '../../batches/text/english.ts';
import type { BATCH as SPANISH } from './spanish-batch.ts';

export const BATCH: typeof SPANISH = {
  ...ENGLISH,
  open: 'Screen a batch',
  title: 'Screen a batch',
  lead: 'Up to 100,000 subjects of a file. All of it is checked first, at no cost; then it runs whether or not this page is open.',
  noRules: 'No validation is published yet. Publish one to screen with it.',
  columns: 'Columns; only subject_ref must be there:',
  faults: (count, shown) =>
    count === 1 ? 'There is one fault. Nobody was screened.' : `There are ${shown} faults. Nobody was screened.`,
  ready: (count, credits, each) =>
    `${count === 1 ? 'One subject is ready' : `${count} subjects are ready`}. It costs ${credits} credits: ${each} for each.`,
  list: 'Batches of screenings',
  listLead: 'Files of subjects that were screened or are, newest first.',
  one: 'Batch of screenings',
  oneLead: 'It goes on whether or not this page is open. Each screening is in the list of screenings, too.',
  reasons: {
    ...ENGLISH.reasons,
    no_published_validation: 'Its validation is not published: publish it.',
    lists_unavailable: 'The lists are unavailable: it is tried again.',
  },
  done: 'Screened',
  skipped: 'Left out, since the subject was erased',
  cancelLead: 'What was screened is kept and charged; the others are not screened.',
};
