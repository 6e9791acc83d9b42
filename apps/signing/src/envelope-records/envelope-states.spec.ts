import { expect, test } from 'vitest';
import {
  allowedEnvelopeActions,
  allowedSignerActions,
  ENVELOPE_ACTIONS,
  ENVELOPE_STATUSES,
  ENVELOPE_TRANSITIONS,
  envelopeTransition,
  isOpen,
  SIGNER_ACTIONS,
  SIGNER_STATUSES,
  SIGNER_TRANSITIONS,
  signerTransition,
} from './envelope-states.ts';

test('every pair of state and action of an envelope has at most one transition', () => {
  const pairs = ENVELOPE_TRANSITIONS.map(({ from, action }) => `${from} ${action}`);
  expect(new Set(pairs).size).toBe(pairs.length);
  for (const from of ENVELOPE_STATUSES) {
    for (const action of ENVELOPE_ACTIONS) {
      expect(envelopeTransition(from, action) !== undefined).toBe(allowedEnvelopeActions(from).includes(action));
    }
  }
});

test('every pair of state and action of a signer has at most one transition', () => {
  const pairs = SIGNER_TRANSITIONS.map(({ from, action }) => `${from} ${action}`);
  expect(new Set(pairs).size).toBe(pairs.length);
  for (const from of SIGNER_STATUSES) {
    for (const action of SIGNER_ACTIONS) {
      expect(signerTransition(from, action) !== undefined).toBe(allowedSignerActions(from).includes(action));
    }
  }
});

test.each(['sealed', 'declined', 'voided', 'expired', 'failed'] as const)('nothing leads out of %s', (status) => {
  expect(allowedEnvelopeActions(status)).toEqual([]);
  expect(isOpen(status)).toBe(false);
});

test('an envelope is sealed only after everyone has signed', () => {
  const into = (to: string) =>
    ENVELOPE_TRANSITIONS.filter((one) => one.to === to && one.from !== to).map(({ from }) => from);
  expect(into('sealed')).toEqual(['sealing']);
  expect(into('sealing')).toEqual(['in_progress']);
});

test('a signer signs only when authenticated, which takes consent, which takes a look', () => {
  const into = (to: string) =>
    SIGNER_TRANSITIONS.filter((one) => one.to === to && one.from !== to).map(({ from }) => from);
  expect(into('signed')).toEqual(['authenticated']);
  expect(into('authenticated')).toEqual(['consented']);
  expect(into('consented')).toEqual(['viewed']);
  expect(into('viewed')).toEqual(['pending']);
});
