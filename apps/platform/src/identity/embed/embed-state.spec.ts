import { expect, it } from 'vitest';
import { embedState } from './embed-state.ts';

const now = new Date('2026-11-25T12:00:00Z');
const later = new Date('2026-11-25T12:30:00Z');
const open = { revoked_at: null, exchanged_at: null, expires_at: later };
const begun = { status: 'in_progress', current_step: 0, last_outcome: null } as const;

const opened = { ...open, exchanged_at: now };
const over = { ...begun, current_step: null } as const;

it.each([
  ['created', 'before a frame opens it', open, begun],
  ['opened', 'by a frame in which no step was taken', opened, begun],
  ['in_progress', 'after a step', opened, { ...begun, current_step: 1, last_outcome: 'advance' as const }],
  ['in_progress', 'after a step that is to be repeated', opened, { ...begun, last_outcome: 'retry' as const }],
  ['completed', 'with the flow session', opened, { ...over, status: 'completed' as const }],
  ['completed', 'when a person decides, also unopened', open, { ...over, status: 'manual_review' as const }],
  ['failed', 'with the flow session', opened, { ...over, status: 'failed' as const }],
  ['completed', 'also after its time', { ...opened, expires_at: now }, { ...over, status: 'completed' as const }],
  ['expired', 'when its time is over', { ...open, expires_at: now }, begun],
  ['revoked', 'by the tenant', { ...opened, revoked_at: now }, begun],
  [
    'revoked',
    'also after its time',
    { ...opened, revoked_at: now, expires_at: now },
    { ...over, status: 'completed' as const },
  ],
] as const)('is %s %s', (state, _when, embed, session) => {
  expect(embedState(embed, session, now)).toBe(state);
});
