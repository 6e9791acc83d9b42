import { FRAME_TEXTS } from '@constancia/web/frame-texts';
import { ENGLISH as WALLET } from '../../wallet/text/english.ts';
import type { Messages } from './messages.ts';

export const ENGLISH: Messages = {
  page: {
    name: 'A request for your data',
    skip: 'Skip to content',
    required: 'required',
    optional: 'optional',
    from: 'Request from',
  },
  broken: {
    title: 'The page failed',
    lead: 'Load it again. Nothing is given unless you approve it.',
    reload: 'Load again',
  },
  loading: 'Loading…',
  again: 'Try again',
  lost: 'There is no connection, or the server does not answer. Try again.',
  tooMany: (minutes) =>
    minutes === 1
      ? 'Too many attempts. Wait a minute and try again.'
      : `Too many attempts. Wait ${minutes} minutes and try again.`,
  refused: 'That did not work. Load the page again and retry.',
  gone: {
    title: 'This link does not work',
    lead: 'It was used, has expired or never existed. If a company asked for your data, ask it to send another request.',
  },
  request: {
    title: (tenant) => `${tenant} asks for your data`,
    purpose: 'What for',
    careful: (tenant) => `Continue only if you are dealing with ${tenant}. Nothing is given unless you approve it.`,
    claims: 'What it asks for',
    ends: (time) => `Expires at ${time}`,
  },
  identify: {
    title: 'Show that it is you',
    registered: 'We send a code to the address that you sign in to your wallet with.',
    asked: 'Write the address that you sign in to your identity wallet with. We send a code to it.',
    address: 'Your e-mail address',
    addressFault: 'Write an e-mail address, such as name@mail.com.',
    send: 'Send the code',
    passkey: 'Use a passkey',
  },
  code: {
    title: 'Enter the code',
    sent: 'If there is a wallet for this request, we sent a code of six digits to its address. It is valid for ten minutes.',
    code: 'Code',
    help: 'Nobody from Constancia will ask you for it. Do not give it to anyone.',
    fault: 'Write the six digits of the code.',
    wrong: 'The code is wrong or has expired. After five wrong codes the link stops working.',
    submit: 'Continue',
    again: 'Send another code',
    againIn: (seconds) => `Another code in ${seconds} s`,
    other: 'Back',
  },
  passkey: {
    refused: 'The passkey was not accepted. Try again, or use a code.',
    cancelled: 'No passkey was used: it was cancelled or took too long.',
    unsupported: 'This browser or device cannot use passkeys here.',
    known: 'This device cannot use that passkey.',
  },
  decide: {
    title: (tenant) => `Give your data to ${tenant}?`,
    always: 'Data that is given',
    choose: 'You choose whether this is given too',
    absent: 'not in your wallet',
    yours: 'Your verification',
    verification: 'What was checked',
    verifiedAt: 'Verified on',
    verifiedFor: 'Verified for',
    onlyYou: (tenant) => `${tenant} does not see for whom it was verified.`,
    keeps: (tenant) =>
      `${tenant} decides how long it keeps the data and is responsible for it: ask ${tenant}. You can withdraw your consent in your wallet.`,
    text: 'What you agree to',
    otherLanguage: 'This text is in Spanish.',
    approve: 'Approve and give',
    obstacles: {
      other_person: 'The request is about another document. It cannot be answered with your wallet.',
      too_old: 'Your verification is older than the company accepts. You have to verify yourself with it again.',
      missing:
        'Your verification does not have all that the company asks for. You have to verify yourself with it again.',
    },
  },
  decline: {
    open: 'Do not give',
    title: 'Do not give your data',
    lead: 'The request ends and nothing is given.',
    tell: (tenant) => `Tell ${tenant} that you said no`,
    ifUnticked: (tenant) => `If you do not tick it, ${tenant} only sees that the request expired.`,
    submit: 'End without giving',
    cancel: 'Back to the request',
  },
  report: {
    open: 'Report abuse',
    title: 'Report this request',
    lead: (tenant) =>
      `If you do not deal with ${tenant}, or it looks like a fraud: the request ends, nothing is given, and a person at Constancia looks at who made it. ${tenant} is not notified of the report.`,
    submit: 'Report',
  },
  end: {
    approved: 'Your data was given',
    approvedLead: (tenant) =>
      `${tenant} received what you approved. The receipt is in your wallet, where you can withdraw your consent.`,
    declined: 'Nothing was given',
    declinedLead: 'The request has ended. You can close this page.',
    reported: 'Thank you for your report',
    reportedLead: 'The request has ended and nothing was given. We will look at who made it.',
    back: (tenant) => `Back to ${tenant}`,
    capture: 'Back to the verification',
    wallet: 'Go to my wallet',
  },
  embed: FRAME_TEXTS.en,
  levels: WALLET.levels,
  documents: WALLET.documents,
};
