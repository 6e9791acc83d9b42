import { ENGLISH as CONSENT } from '../../consent/text/english.ts';
import type { Messages } from './messages.ts';

export const ENGLISH: Messages = {
  page: { ...CONSENT.page, name: 'Sign in', from: 'Access to' },
  broken: CONSENT.broken,
  loading: CONSENT.loading,
  again: CONSENT.again,
  lost: CONSENT.lost,
  tooMany: CONSENT.tooMany,
  refused: CONSENT.refused,
  gone: {
    title: 'This link does not work',
    lead: 'It was used or has expired. Go back to the application that you came from and sign in again.',
  },
  going: (host) => `Taking you back to ${host}…`,
  signIn: {
    title: (client) => `Sign in to ${client}`,
    lead: (tenant) => `${tenant} asks you to show who you are with your identity wallet.`,
    careful: (host) => `Afterwards you return to ${host}. Continue only if you came from there.`,
    claims: 'Afterwards we ask you whether to give this data',
    how: 'Show that it is you',
    asked: CONSENT.identify.asked,
    address: CONSENT.identify.address,
    addressFault: CONSENT.identify.addressFault,
    send: CONSENT.identify.send,
    passkey: CONSENT.identify.passkey,
  },
  code: {
    ...CONSENT.code,
    sent: 'If the address is that of a wallet, we sent a code of six digits to it. It is valid for ten minutes.',
    wrong: 'The code is wrong or has expired. After five wrong codes you have to wait.',
  },
  passkey: CONSENT.passkey,
  agree: {
    title: (tenant) => `Give your data to ${tenant}?`,
    plain: (client) => `Continue to ${client}?`,
    lead: (client) => `To sign in to ${client}.`,
    claims: 'What is given',
    nothing: (client) => `${client} recognizes you when you come back, and learns nothing else about you.`,
    text: CONSENT.decide.text,
    approve: 'Approve and continue',
    proceed: 'Continue',
  },
  refuse: 'Do not continue',
};
