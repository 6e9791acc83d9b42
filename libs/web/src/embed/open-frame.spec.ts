import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepOpen } from './open-frame.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('uses the access token twice in the ten minutes that it works without use, whatever is answered', async () => {
  const sent: [path: string, authorization: unknown][] = [];
  vi.stubGlobal('fetch', (path: string, { headers }: { headers: Record<string, string> }) => {
    sent.push([path, headers.authorization]);
    return sent.length === 1
      ? Promise.reject(new Error('offline'))
      : Promise.resolve(new Response('{}', { status: 404 }));
  });
  keepOpen('/v1/embed/sessions/emt_x', 'ema_y');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sent).toEqual(Array.from({ length: 2 }, () => ['/v1/embed/sessions/emt_x/state', 'Bearer ema_y']));
});
