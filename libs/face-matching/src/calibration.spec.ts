import { describe, expect, it } from 'vitest';
import { LOCAL_THRESHOLDS, distanceBetween, distanceOf, scoreOf, thresholdsFor } from './calibration.ts';

describe('the calibrated score', () => {
  it('is a share that never rises with the distance', () => {
    const scores = Array.from({ length: 201 }, (_, step) => scoreOf(step / 100));
    expect(scores[0]).toBeLessThanOrEqual(1);
    expect(scores.at(-1)).toBeGreaterThanOrEqual(0);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it.each([
    { distance: 0.525, logOdds: 4.9 },
    { distance: 0.575, logOdds: 1.4 },
  ])('gives a distance of $distance the odds that were counted', ({ distance, logOdds }) => {
    const score = scoreOf(distance);
    expect(Math.log(score / (1 - score))).toBeCloseTo(logOdds, 0);
  });

  it('can be led back to its distance', () => {
    for (const distance of [0.473, 0.5, 0.6, 0.652]) expect(distanceOf(scoreOf(distance))).toBeCloseTo(distance, 9);
  });

  it('has thresholds at the distances that are documented', () => {
    expect(distanceOf(LOCAL_THRESHOLDS.accept)).toBeCloseTo(0.473, 3);
    expect(distanceOf(LOCAL_THRESHOLDS.review)).toBeCloseTo(0.652, 3);
  });
});

it('lets a flow be stricter than the engine, never laxer', () => {
  expect(thresholdsFor(null)).toEqual(LOCAL_THRESHOLDS);
  expect(thresholdsFor({ accept: 0.4, review: 0.1 })).toEqual({ accept: LOCAL_THRESHOLDS.accept, review: 0.1 });
  expect(thresholdsFor({ accept: 1, review: 0.5 })).toEqual({ accept: 1, review: 0.5 });
});

it('measures the distance of two descriptors as a straight line', () => {
  expect(distanceBetween(Float32Array.of(0, 3), Float32Array.of(4, 0))).toBe(5);
});
