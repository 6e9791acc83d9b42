import { HttpAdapterHost } from '@nestjs/core';
import { expect, it } from 'vitest';
import { specApp } from '../spec-app.fixture.ts';
import { RequestsUnderWay } from './requests-under-way.ts';

it('there are requests under way until the last of them is answered', async () => {
  const { app } = await specApp();
  await app.listen(0, '127.0.0.1');
  const requests = new RequestsUnderWay(app.get(HttpAdapterHost));
  expect(requests.any()).toBe(false);
  const slow = fetch(`${await app.getUrl()}/open/slow`);
  await expect.poll(() => requests.any(), { interval: 5 }).toBe(true);
  expect((await slow).status).toBe(200);
  await expect.poll(() => requests.any(), { interval: 5 }).toBe(false);
  await app.close();
});

it('work in slices lets the event loop go on every few milliseconds, and waits for requests other than its own', async () => {
  const { app } = await specApp();
  await app.listen(0, '127.0.0.1');
  const requests = new RequestsUnderWay(app.get(HttpAdapterHost));
  const pieces = async (own: number): Promise<{ turns: number; ms: number }> => {
    let [turns, worked] = [0, false];
    const turn = () => void (turns++, worked || setImmediate(turn));
    setImmediate(turn);
    const sliceEnds = requests.slices(() => own);
    const began = performance.now();
    for (let nth = 0; nth < 40; nth++) {
      for (const until = performance.now() + 0.5; performance.now() < until;);
      await sliceEnds();
    }
    worked = true;
    return { turns, ms: performance.now() - began };
  };
  const alone = await pieces(0);
  expect(alone.turns).toBeGreaterThanOrEqual(10);
  const slow = fetch(`${await app.getUrl()}/open/slow`);
  await expect.poll(() => requests.any(), { interval: 5 }).toBe(true);
  const [own, beside] = [await pieces(1), await pieces(0)];
  expect(own.turns).toBeGreaterThanOrEqual(10);
  expect(beside.ms).toBeGreaterThan(40); // 20 ms of work, and twice as long for the others
  await slow;
  await app.close();
});
