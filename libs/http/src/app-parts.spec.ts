import { expect, it } from 'vitest';
import { registerLifecycle } from './app-parts.ts';

it('closes all parts of an app, the last opened first, also when one fails, and reports the failure', async () => {
  const hooks: Record<string, () => Promise<void>> = {};
  const seen: string[] = [];
  const part = (name: string) => ({ start: () => void seen.push(`start ${name}`), close: async () => seen.push(name) });
  registerLifecycle(
    { addHook: (name, hook) => (hooks[name] = hook) },
    {
      opened: [part('database'), { close: () => Promise.reject(new Error('the queue is gone')) }, part('mailer')],
      background: [part('sweep')],
    },
  );
  await hooks.onReady?.();
  await expect(hooks.onClose?.()).rejects.toThrow('the queue is gone');
  expect(seen).toEqual(['start sweep', 'sweep', 'mailer', 'database']);
});
