import { expect, it } from 'vitest';
import { embedState } from './embed-state.ts';

const now = new Date('2026-11-25T12:00:00Z');
const later = new Date('2026-11-25T12:30:00Z');
const open = { revoked_at: null, exchanged_at: null, expires_at: later };
const begun = { status: 'in_progress', current_step: 0, last_outcome: null } as const;

it.each([
  ['created', open, begun],
  ['opened', { ...open, exchanged_at: now }, begun],
  ['in_progress', { ...open, exchanged_at: now }, { ...begun, current_step: 1, last_outcome: 'advance' as const }],
  ['in_progress', { ...open, exchanged_at: now }, { ...begun, last_outcome: 'retry' as const }],
  ['completed', { ...open, exchanged_at: now }, { ...begun, status: 'completed' as const, current_step: null }],
  ['completed', open, { ...begun, status: 'manual_review' as const, current_step: null }],
  ['failed', { ...open, exchanged_at: now }, { ...begun, status: 'failed' as const, current_step: null }],
  ['completed', { ...open, expires_at: now }, { ...begun, status: 'completed' as const, current_step: null }],
  ['expired', { ...open, expires_at: now }, begun],
  ['revoked', { ...open, revoked_at: now }, begun],
  ['revoked', { ...open, revoked_at: now, expires_at: now }, { ...begun, status: 'completed' as const }],
] as const)('is %s (case %#)', (state, embed, session) => {
  expect(embedState(embed, session, now)).toBe(state);
});
