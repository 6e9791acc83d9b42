import { STEP_OUTCOMES } from '@constancia/contracts';
import { describe, expect, it } from 'vitest';
import { SESSION_TRANSITIONS, sessionTransition } from '../sessions/session-states.ts';
import type { RunType, Verdict } from '../sessions/step-run.entity.ts';
import { EFFECTS, moveOf, type Standing } from './outcomes.ts';

const FIRST: Standing = { used: 0, maxAttempts: 3, lastStep: false, flagged: false };
const VERDICTS: Verdict[] = ['accept', 'flag', 'again', 'unavailable', 'refer', 'reject'];
const RUN_TYPES = Object.keys(EFFECTS) as RunType[];

describe('what an outcome means', () => {
  it('is said for every kind of work and every outcome', () => {
    for (const type of RUN_TYPES) expect(Object.keys(EFFECTS[type]).sort()).toEqual([...STEP_OUTCOMES].sort());
  });

  it('costs credits only at a face, and only when there is a decision', () => {
    const captured = RUN_TYPES.flatMap((type) =>
      STEP_OUTCOMES.filter((outcome) => EFFECTS[type][outcome].money === 'capture').map((outcome) => [type, outcome]),
    );
    expect(captured).toEqual([
      ['face', 'pass'],
      ['face', 'reject'],
      ['face', 'review'],
    ]);
    for (const outcome of STEP_OUTCOMES) expect(EFFECTS.face[outcome].money).not.toBe('none');
  });

  it('moves a session in progress only as its states allow', () => {
    for (const verdict of VERDICTS)
      for (const lastStep of [true, false])
        for (const flagged of [true, false])
          for (const used of [0, 2]) {
            const { action } = moveOf(verdict, { ...FIRST, lastStep, flagged, used }, 'why');
            expect(sessionTransition('in_progress', action), `${verdict} ${action}`).toBeDefined();
          }
  });

  it('uses up an attempt only when the subject can do better, and rejects with the last one', () => {
    expect(moveOf('again', FIRST, 'blurred')).toMatchObject({ action: 'stay', attemptsLeft: 2, countsAttempt: true });
    expect(moveOf('again', { ...FIRST, used: 2 }, 'blurred')).toMatchObject({
      action: 'reject',
      attemptsLeft: 0,
      rejectionReason: 'too_many_attempts',
    });
    expect(moveOf('unavailable', { ...FIRST, used: 2 }, 'timeout')).toMatchObject({
      action: 'stay',
      countsAttempt: false,
    });
  });

  it('ends a flagged session with a person, whatever its last step says', () => {
    const last = { ...FIRST, lastStep: true };
    expect(moveOf('accept', last, null).action).toBe('finish');
    expect(moveOf('accept', { ...last, flagged: true }, null).action).toBe('refer');
    expect(moveOf('flag', last, 'name_unconfirmed').action).toBe('refer');
    expect(moveOf('flag', FIRST, 'name_unconfirmed')).toMatchObject({ action: 'advance', flags: true });
  });
});

describe('the states of a session', () => {
  it('have no way out of completed and failed', () => {
    expect(SESSION_TRANSITIONS.filter(({ from }) => from === 'completed' || from === 'failed')).toEqual([]);
  });

  it('know one next state for each action', () => {
    const keys = SESSION_TRANSITIONS.map(({ from, action }) => `${from} ${action}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
