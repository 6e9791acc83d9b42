import { expect, it } from 'vitest';
import { isUnread, KIND_SCOPES, type NotificationKind, offAfter, pageOf } from './kinds.ts';

it.each([
  ['case_assigned', { case_id: 'cas_1' }, { to: '/cases/$id', params: { id: 'cas_1' } }],
  ['case_overdue', { case_id: 'cas_1' }, { to: '/cases/$id', params: { id: 'cas_1' } }],
  ['case_awaiting_approval', { case_id: 'cas_1' }, { to: '/cases/$id', params: { id: 'cas_1' } }],
  ['rules_awaiting_publication', { validation_id: 'val_1' }, { to: '/rules/$id', params: { id: 'val_1' } }],
  ['session_awaiting_approval', { session_id: 'fls_1' }, { to: '/identity/reviews/$id', params: { id: 'fls_1' } }],
  ['envelope_declined', { envelope_id: 'env_1' }, { to: '/signing/envelopes/$id', params: { id: 'env_1' } }],
  ['endpoint_disabled', {}, { to: '/developers/endpoints' }],
  ['certificate_ends', {}, { to: '/settings/sealing' }],
  ['balance_low', {}, { to: '/money' }],
] as const)('%s leads to the page where it is resolved', (kind, about, page) => {
  expect(pageOf({ kind, case_id: null, validation_id: null, session_id: null, envelope_id: null, ...about })).toEqual(
    page,
  );
});

it('a notification is unread until it is read or settled', () => {
  const at = '2026-11-21T15:04:05.678Z';
  const states = [[null, null], [at, null], [null, at], [at, at]] as const; // prettier-ignore
  expect(states.map(([read_at, settled_at]) => isUnread({ read_at, settled_at }))).toEqual([true, false, false, false]);
});

it('what is switched off is what is not ticked; kinds of other roles stay as they were', () => {
  const shown: NotificationKind[] = ['case_assigned', 'case_due_soon'];
  expect(offAfter(shown, ['case_assigned'], ['balance_low', 'case_assigned'])).toEqual([
    'balance_low',
    'case_due_soon',
  ]);
  expect(offAfter(shown, Object.keys(KIND_SCOPES), [])).toEqual([]);
});
