import { ENGLISH as COMMON } from '../../batches/text/english.ts';
import type { SPANISH } from './spanish-batch.ts';

export const ENGLISH: typeof SPANISH = {
  batch: {
    ...COMMON,
    open: 'Send a batch',
    title: 'Send a batch of envelopes',
    lead: 'Up to 10,000 envelopes of a file, one for each row. All of it is checked first, at no cost; then they are sent whether or not this page is open.',
    columns: 'Columns; the address of every signer must be there:',
    faults: (count, shown) =>
      count === 1 ? 'There is one fault. Nothing was sent.' : `There are ${shown} faults. Nothing was sent.`,
    ready: (count, credits, each) =>
      `${count === 1 ? 'One envelope is ready' : `${count} envelopes are ready`}. It costs ${credits} credits: ${each} for each.`,
    list: 'Batches of envelopes',
    listLead: 'Files of envelopes that were sent or are, newest first.',
    one: 'Batch of envelopes',
    oneLead: 'It goes on whether or not this page is open. Each envelope is in the list of envelopes, too.',
    reasons: {
      ...COMMON.reasons,
      mail_limit: 'The sandbox account has sent its mails of 24 hours: it goes on by itself once it can.',
    },
    done: 'Rows done',
    skipped: 'Rows without an envelope (see the results)',
    cancelLead: 'Envelopes that were sent stay sent and charged; the others are not sent.',
    more: 'More than 500 rows? Send a batch: it goes on whether or not the page is open.',
  },
};
