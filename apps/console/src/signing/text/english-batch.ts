import { ENGLISH as COMMON } from '../../batches/text/english.ts';
import type { SPANISH } from './spanish-batch.ts';

export const ENGLISH: typeof SPANISH = {
  batch: {
    ...COMMON,
    open: 'Send a batch',
    title: 'Send a batch of envelopes',
    lead: 'Up to 10,000 envelopes of a file, one for each row. All of it is checked first, at no cost; then they are sent whether or not this page is open.',
    sample: 'Download a sample file',
    sampleName: 'envelopes-sample',
    guide: {
      title: 'Columns of the file',
      lead: 'The first line names the columns, in any order. What differs from row to row, such as the values of fields, has a column of its own. An empty cell is left out.',
      what: 'What it is',
      needed: 'Required',
      example: 'Example',
      members: {
        email: 'email address',
        name: 'name',
        phone: 'mobile number, with its country code',
        access_code: 'access code, 4 to 64 characters, that you give them',
      },
      own: 'a value of yours; the signers see it and cannot change it.',
      prefills: (role) => `filled in for ${role} beforehand.`,
      forms: {
        checkbox: 'true or false.',
        date: 'As YYYY-MM-DD.',
      },
      options: {
        external_ref: 'a reference of yours',
        subject: 'subject of the mails',
        message: 'text in the mails',
        locale: 'language of the mails: es-CO or en',
        expires_in_days: 'days until the envelope expires',
        notify: 'false: no mails are sent to signers',
        'reminders.after_days': 'days until signers are reminded',
      },
    },
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
