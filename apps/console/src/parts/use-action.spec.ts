import { afterEach, expect, it, vi } from 'vitest';
import { hostHook } from './hosted-hook.fixture.ts';
import { useAction } from './use-action.ts';

afterEach(() => vi.unstubAllGlobals());

it('says why an action failed on the page where it failed, and not on another one', async () => {
  const hosted = await hostHook(
    () => useAction(),
    (hook) => hook,
  );
  const at = (pathname: string) => vi.stubGlobal('location', { search: '', pathname });
  const fail = () => hosted.now().run('clone', () => Promise.reject(new Error('refused')));
  at('/rules/1');
  await hosted.run(fail);
  expect([hosted.now().error, hosted.now().busy]).toEqual([new Error('refused'), null]);
  let refuse: () => void = () => undefined;
  await hosted.run(() => {
    void hosted.now().run('clone', () => new Promise((_, reject) => (refuse = () => reject(new Error('late')))));
  });
  at('/rules/2');
  await hosted.run(() => refuse());
  expect([hosted.now().error, hosted.now().busy]).toEqual([null, null]);
  at('/rules/2');
  await hosted.run(fail);
  expect(hosted.now().error).toEqual(new Error('refused'));
  await hosted.unmount();
});
