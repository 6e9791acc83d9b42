import { expect, it } from 'vitest';
import { powerSpectrum } from './fourier.ts';
import { homographyResiduals, similarityResiduals } from './fit-plane.ts';

it('a wave is one peak of the spectrum, where its frequency is', () => {
  const side = 64;
  const wave = Float64Array.from({ length: side * side }, (_, at) => Math.cos((2 * Math.PI * (9 * (at % side) + 5 * Math.floor(at / side))) / side)); // prettier-ignore
  const power = powerSpectrum(wave, side);
  const strongest = power.indexOf(Math.max(...power));
  expect([5 * side + 9, (side - 5) * side + side - 9]).toContain(strongest);
});

it('a tilted plane leaves something to a similarity and nothing to a homography; a bent surface leaves something to both', () => {
  const grid = Array.from({ length: 64 }, (_, at) => ({ x: (at % 8) * 20, y: Math.floor(at / 8) * 20 }));
  const size = (residuals: { x: number; y: number }[]) => Math.max(...residuals.map(({ x, y }) => Math.hypot(x, y)));
  const tilted = grid.map((from) => {
    const depth = 1 + 0.001 * from.x - 0.0005 * from.y;
    return { from, to: { x: (0.95 * from.x + 4) / depth, y: (from.y + 2) / depth } };
  });
  expect(size(similarityResiduals(tilted))).toBeGreaterThan(2);
  expect(size(homographyResiduals(tilted))).toBeLessThan(0.01);
  const bent = grid.map((from) => ({
    from,
    to: { x: from.x + 3 * Math.exp(-(((from.x - 70) / 40) ** 2)), y: from.y },
  }));
  expect(size(homographyResiduals(bent))).toBeGreaterThan(0.5);
});
