import { expect, it } from 'vitest';
import { freePort } from './cluster.ts';

it('no port is given twice, however long its owner takes to listen', async () => {
  const ports = [];
  for (let nth = 0; nth < 500; nth++) ports.push(await freePort());
  expect(new Set(ports).size).toBe(500);
});
