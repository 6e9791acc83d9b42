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
