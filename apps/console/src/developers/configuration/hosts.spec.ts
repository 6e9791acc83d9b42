import { expect, it } from 'vitest';
import { type Host, HOSTS, type ImportAnswer, importRest } from './hosts.ts';

it('an import that failed on one host goes on there, and the secrets of the hosts before stay', async () => {
  let answers = HOSTS.map(() => ({ dry_run: true, changes: [] })) as unknown as ImportAnswer[];
  let asked: Host[] = [];
  const importAll = (down: Host[]) =>
    importRest(
      HOSTS,
      answers,
      (host) => {
        asked.push(host);
        if (down.includes(host)) return Promise.reject(new Error('unreachable'));
        return Promise.resolve({ dry_run: false, changes: [{ secret: `whsec_${host}` }] } as unknown as ImportAnswer);
      },
      (known) => (answers = known),
    );
  await expect(importAll(['signing'])).rejects.toThrow('unreachable');
  asked = [];
  await importAll([]);
  expect(asked).toEqual(['signing']);
  expect(answers.map(({ changes }) => changes[0]?.secret)).toEqual(HOSTS.map((host) => `whsec_${host}`));
});
