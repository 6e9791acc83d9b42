import { describe, expect, it } from 'vitest';
import type { Point } from './nets/landmark-net.ts';
import { poseOf } from './pose.ts';

/** A head of other proportions than the one poseOf knows, turned and seen from far away. */
function headAt(yaw: number, roll: number, scale = 2): Point[] {
  const points: Record<number, [number, number, number]> = {
    36: [-44, 1, -11],
    39: [-17, 0, 1],
    42: [17, 0, 1],
    45: [44, 1, -11],
    30: [0, 34, 27],
    33: [0, 46, 15],
    48: [-24, 70, 1],
    54: [24, 70, 1],
  };
  const [y, r] = [(yaw * Math.PI) / 180, (roll * Math.PI) / 180];
  return Array.from({ length: 68 }, (_, index) => {
    const [px, py, pz] = points[index] ?? [0, 0, 0];
    const turned = px * Math.cos(y) + pz * Math.sin(y);
    return {
      x: scale * (turned * Math.cos(r) - py * Math.sin(r)) + 300,
      y: scale * (turned * Math.sin(r) + py * Math.cos(r)) + 200,
    };
  });
}

describe('the turn of a head', () => {
  it.each([-40, -25, -15, 0, 15, 25, 40])('is measured within 6 degrees at %i degrees, leaning or not', (yaw) => {
    for (const roll of [-20, 0, 20]) expect(Math.abs(poseOf(headAt(yaw, roll)).yawDegrees - yaw)).toBeLessThan(6);
  });

  it('is positive to the subject’s own left, which is the right of the picture', () => {
    const ahead = headAt(0, 0);
    const noseToTheRight = ahead.map((point, index) => (index === 30 ? { ...point, x: point.x + 30 } : point));
    expect(poseOf(noseToTheRight).yawDegrees).toBeGreaterThan(10);
  });

  it('measures how the eyes lean', () => {
    expect(poseOf(headAt(0, 12)).rollDegrees).toBeCloseTo(12, 0);
  });
});
