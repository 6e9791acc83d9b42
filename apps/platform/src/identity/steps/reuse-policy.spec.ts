import type { WalletLevel } from '@constancia/contracts';
import { describe, expect, it } from 'vitest';
import { checkedSteps } from '../flows/step-config.ts';
import type { FlowStep } from '../flows/step-types.ts';
import { levelOf } from '../wallet/wallet-level.ts';
import { reusableSteps, reuseRefusal } from './reuse-policy.ts';

const NOW = new Date('2026-11-26T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

function flow(face: object | null): FlowStep[] {
  const steps = [
    { step_type: 'consent' },
    { step_type: 'document_upload' },
    ...(face ? [{ step_type: 'face_match', config: face }] : []),
    { step_type: 'sarlaft' },
  ];
  const checked = checkedSteps(steps);
  if ('errors' in checked) throw new Error(JSON.stringify(checked.errors));
  return checked.steps;
}

const reasonOf = (face: object | null, level: WalletLevel, days: number) =>
  reuseRefusal(flow(face), { level, verifiedAt: daysAgo(days), maxAgeDays: 365 }, NOW)?.reason ?? null;

describe('a kept verification', () => {
  it('stands for document and face, never for the screening', () => {
    expect(reusableSteps(flow({}), 0)).toEqual(['document_upload', 'face_match']);
    expect(reusableSteps(flow(null), 0)).toEqual(['document_upload']);
    expect(reusableSteps(flow({}).slice(0, 1), 0)).toEqual([]);
  });

  it.each([
    [{}, 'document_face', 90, null],
    [{}, 'document_face', 91, 'reuse_liveness'],
    [{ reuse_requires_liveness: 'never' }, 'document_face', 364, null],
    [{ reuse_requires_liveness: 'never' }, 'document_face', 366, 'reuse_age'],
    [{ reuse_requires_liveness: 'always' }, 'document_face_liveness', 0, 'reuse_liveness'],
    [{}, 'document', 1, 'reuse_level'],
    [{ liveness_mode: 'active' }, 'document_face', 1, 'reuse_level'],
    [{ liveness_mode: 'active' }, 'document_face_liveness', 1, null],
    [null, 'document', 364, null],
  ] as const)('with the face step %j, level %s and an age of %i days: %s', (face, level, days, reason) => {
    expect(reasonOf(face, level, days)).toBe(reason);
  });

  it('is not kept a second time by the session that it stood for', () => {
    const reused = { document_upload: { reused: true }, face_match: { reused: true } };
    expect(levelOf({ steps: flow({}), flags: [] }, reused)).toBeNull();
    const taken = { document_upload: {}, face_match: {} };
    expect(levelOf({ steps: flow({}), flags: [] }, taken)).toBe('document_face');
    expect(levelOf({ steps: flow({}), flags: ['name_unconfirmed'] }, taken)).toBe('document');
    expect(levelOf({ steps: flow({ thresholds: { accept: 0.5, review: 0.1 } }), flags: [] }, taken)).toBe('document');
    expect(levelOf({ steps: flow({ passive_liveness: 'off' }), flags: [] }, taken)).toBe('document');
  });
});
