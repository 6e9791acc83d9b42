import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { freePort } from './cluster.ts';
import { eventually } from './eventually.ts';
import { NO_REDIS, RedisNode, redisInstalled } from './redis.ts';
import { ServerProcess } from './server-process.ts';
import { removeLeftOvers, testFolder } from './test-folders.ts';

/** The path of a folder of a run that is over. */
function ofAnotherRun(): string {
  const { pid } = spawnSync('true');
  return testFolder().replace(`-${process.pid}-`, `-${pid}-`);
}

it('what runs in the folder of a run that is over is ended with it; what runs in another folder is not', async () => {
  const [over, ours] = [ofAnotherRun(), testFolder()];
  const [left, kept] = [over, ours].map((folder) => {
    fs.mkdirSync(folder);
    return new ServerProcess('sleep', folder);
  }) as [ServerProcess, ServerProcess];
  await Promise.all([left, kept].map((server) => server.start(['60'], () => Promise.resolve())));
  fs.copyFileSync(`${ours}/sleep.pid`, `${over}/another.pid`); // an id that was given to a process of somebody else
  await removeLeftOvers();
  await eventually(() => expect(left.running).toBe(false));
  expect([fs.existsSync(over), kept.running, fs.existsSync(ours)]).toEqual([false, true, true]);
  await kept.end('SIGKILL');
  fs.rmSync(ours, { recursive: true });
});

it.skipIf(!redisInstalled)(redisInstalled ? 'so is a redis-server' : NO_REDIS, async () => {
  const folder = ofAnotherRun();
  const node = new RedisNode(folder, await freePort());
  await node.start();
  await removeLeftOvers();
  await eventually(() => expect(node.running).toBe(false));
  expect(fs.existsSync(folder)).toBe(false);
});
