import { Unreachable } from '@constancia/web';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type SignedIn, SignedInContext } from '../../member/member.tsx';
import { hostHook } from '../../parts/hosted-hook.fixture.ts';
import type { EnvelopeBody } from './envelope-key.ts';
import { useSending } from './use-sending.ts';

interface Posted {
  key: string;
  to: string;
}
type Answer = () => Promise<unknown>;

const sent: Answer = () => Promise.resolve(answered(201, { id: 'env_1' }));
const replayed: Answer = () => Promise.resolve(answered(201, { id: 'env_1' }, { 'Idempotent-Replayed': 'true' }));
const refused: Answer = () =>
  Promise.resolve(answered(409, { type: 'https://constancia.example/problems/state-conflict' }));
const lost: Answer = () => Promise.reject(new Unreachable('no answer'));

function answered(status: number, document: object, headers: Record<string, string> = {}) {
  const response = new Response(null, { status, headers });
  return status < 400 ? { data: document, response } : { error: document, response };
}

const bodyTo = (email: string): EnvelopeBody => ({
  circuit_id: '01890000-0000-7000-8000-000000000001',
  signers: [{ role: 'cliente', email, name: 'Ana' }],
});
const THREE = ['a@b.co', 'b@b.co', 'c@b.co'].map(bodyTo);

/** The hook, whose requests are answered in turn; the last answer is given again and again. */
async function sendingWith(...answers: Answer[]) {
  const posted: Posted[] = [];
  const POST = (
    _path: string,
    { params, body }: { params: { header: Record<string, string> }; body: EnvelopeBody },
  ) => {
    posted.push({ key: params.header['Idempotency-Key'] as string, to: body.signers[0]?.email as string });
    return (answers[Math.min(posted.length, answers.length) - 1] as Answer)();
  };
  const signedIn = { apis: { signing: { POST } }, leave: () => undefined } as unknown as SignedIn;
  const hosted = await hostHook(useSending, (hook) =>
    createElement(
      SignedInContext,
      { value: signedIn },
      createElement(QueryClientProvider, { client: new QueryClient() }, hook),
    ),
  );
  const statuses = (): string[] => hosted.now().all.map(({ status }) => status);
  return { ...hosted, posted, statuses };
}

describe('sending to many', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('sends one after another, each with a key of its own; a refused one does not keep the others', async () => {
    const { now, run, statuses, posted, unmount } = await sendingWith(sent, refused, sent);
    await run(() => now().begin(THREE));
    expect(statuses()).toEqual(['sent', 'failed', 'sent']);
    expect(now()).toMatchObject({ running: false, stopped: null, left: 0 });
    expect(posted.map(({ to }) => to)).toEqual(['a@b.co', 'b@b.co', 'c@b.co']);
    expect(new Set(posted.map(({ key }) => key)).size).toBe(3);
    await unmount();
  });

  it('stops where no answer came, and sends that one again as the same request', async () => {
    const { now, run, statuses, posted, unmount } = await sendingWith(sent, lost, replayed, sent);
    await run(() => now().begin(THREE));
    expect(statuses()).toEqual(['sent', 'unknown', 'waiting']);
    expect(now()).toMatchObject({ running: false, stopped: expect.any(Unreachable), left: 2 });
    await run(() => now().run());
    expect(statuses()).toEqual(['sent', 'sent', 'sent']); // the lost request had arrived: it is not one that somebody sent before
    expect(now().stopped).toBeNull();
    expect(posted[2]).toEqual(posted[1]);
    await unmount();
  });

  it('sends what was sent before again only on purpose, as another request', async () => {
    const { now, run, statuses, posted, unmount } = await sendingWith(replayed, sent);
    await run(() => now().begin(THREE.slice(0, 1)));
    expect(statuses()).toEqual(['before']);
    await run(() => now().repeat());
    expect(statuses()).toEqual(['sent']);
    expect(posted[1]?.key).not.toBe(posted[0]?.key);
    await unmount();
  });

  it.each(['paused', 'left'] as const)(
    'sends nothing more once it is %s, and what is under way is waited for',
    async (how) => {
      const { now, run, statuses, posted, unmount } = await sendingWith(async () => {
        await (how === 'paused' ? Promise.resolve(now().pause()) : unmount());
        return sent();
      }, sent);
      await run(() => now().begin(THREE));
      expect(posted).toHaveLength(1);
      if (how === 'left') return;
      expect(statuses()).toEqual(['sent', 'waiting', 'waiting']);
      expect(now()).toMatchObject({ running: false, stopped: null, left: 2 });
      await run(() => now().run());
      expect(statuses()).toEqual(['sent', 'sent', 'sent']);
      await unmount();
    },
  );
});
