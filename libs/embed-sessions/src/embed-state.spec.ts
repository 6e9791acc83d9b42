import { expect, it } from 'vitest';
import { embedState } from './embed-state.ts';

const now = new Date('2026-11-25T12:00:00Z');
const later = new Date('2026-11-25T12:30:00Z');
const open = { revoked_at: null, exchanged_at: null, expires_at: later };
const opened = { ...open, exchanged_at: now };
const untouched = { begun: false, end: null } as const;
const done = { begun: true, end: 'completed' } as const;

it.each([
  ['created', 'before a frame opens it', open, untouched],
  ['created', 'also when a step was taken elsewhere', open, { begun: true, end: null }],
  ['opened', 'by a frame in which no step was taken', opened, untouched],
  ['in_progress', 'after a step', opened, { begun: true, end: null }],
  ['completed', 'with what it shows', opened, done],
  ['completed', 'with what it shows, also unopened', open, done],
  ['failed', 'with what it shows', opened, { begun: true, end: 'failed' }],
  ['completed', 'also after its time', { ...opened, expires_at: now }, done],
  ['expired', 'when its time is over', { ...open, expires_at: now }, untouched],
  ['revoked', 'by the tenant', { ...opened, revoked_at: now }, untouched],
  ['revoked', 'when the frame lost what it shows', opened, { begun: true, end: 'revoked' }],
  ['revoked', 'also after its time', { ...opened, revoked_at: now, expires_at: now }, done],
] as const)('is %s %s', (state, _when, embed, progress) => {
  expect(embedState(embed, progress, now)).toBe(state);
});
