import type { SPANISH } from './spanish-documents.ts';

export const ENGLISH: typeof SPANISH = {
  documents: {
    title: 'Sealed documents',
    lead: 'Documents sealed from your templates, without signers, newest first.',
    one: 'Sealed document',
    status: 'Status',
    statuses: { pending: 'Sealing', signed: 'Sealed', failed: 'Failed' },
    reference: 'Reference',
    referenceHint: 'Your own reference, such as a contract number. No personal data.',
    requested: 'Requested on',
    sealed: 'Sealed on',
    credits: 'Credits',
    empty:
      'No document has been sealed from a template yet. Open a template and seal the first one. What signers signed is under Envelopes.',
    noMatch: 'No document matches the filter.',
    seal: 'Seal a document',
    sealLead: (price) => `Enter the texts of the document. Sealing it costs ${price} credits.`,
    accepted: 'The document is being sealed.',
    archived: 'The template is archived: use another one.',
    pendingLead: 'The document is being sealed. This page shows it when it is done.',
    download: 'Download the sealed document',
    downloaded: 'The document was downloaded.',
  },
  evidence: {
    level: 'Level of evidence',
    levels: {
      'B-B': 'B-B: signature',
      'B-T': 'B-T: with a time-stamp',
      'B-LT': 'B-LT: with the state of the certificates',
      'B-LTA': 'B-LTA: with archive time-stamps that are renewed',
    },
    first: 'Is extended',
    renewal: 'Next renewal',
  },
};
