import { describe, expect, it } from 'vitest';
import { newChallenge, randomPoses } from './new-challenge.ts';

describe('a sequence of poses', () => {
  const sequences = Array.from({ length: 300 }, () => randomPoses());

  it('begins with a look ahead, has a turn to each side, and no pose follows itself', () => {
    for (const poses of sequences) {
      expect(poses[0]).toBe('center');
      expect(new Set(poses)).toEqual(new Set(['center', 'left', 'right']));
      expect(poses.every((pose, nth) => pose !== poses[nth - 1])).toBe(true);
    }
  });

  it('is one of many', () => {
    expect(new Set(sequences.map((poses) => poses.join())).size).toBeGreaterThanOrEqual(12);
  });
});

it('is good for a minute', () => {
  expect(newChallenge('active', 5_000)).toMatchObject({ mode: 'active', issuedAt: 5_000, expiresAt: 65_000 });
  expect(newChallenge('basic', 5_000).poses).toEqual([]);
});
