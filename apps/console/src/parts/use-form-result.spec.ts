import { afterEach, expect, it, vi } from 'vitest';
import { hostHook } from './hosted-hook.fixture.ts';
import { useFormResult } from './use-form-result.ts';

afterEach(() => vi.unstubAllGlobals());

it('shows what was found until the form changes, and nothing that is found after the change', async () => {
  const hosted = await hostHook(
    () => useFormResult<string>(),
    (hook) => hook,
  );
  await hosted.run(() => hosted.now().begin()('first'));
  expect(hosted.now().result).toBe('first');
  await hosted.run(() => hosted.now().clear());
  expect(hosted.now().result).toBeNull();

  let show: (found: string) => void = () => undefined;
  await hosted.run(() => (show = hosted.now().begin()));
  await hosted.run(() => hosted.now().clear());
  await hosted.run(() => show('of the form before the change'));
  expect(hosted.now().result).toBeNull();
  await hosted.unmount();
});
