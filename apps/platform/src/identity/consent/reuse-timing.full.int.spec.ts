import type { Tenant } from '@constancia/http';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import type { FastifyReply } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, RunningWallets } from '../wallet/wallet.fixture.ts';
import { Discover } from './discover.ts';

const SAMPLES = 3_000;
const WARM_UP = 200;
/** The limit above which a difference counts as seen, as dudect has it. */
const LIMIT = 4.5;
const ANA = 'ana.ruiz@correo.example.co';
const PURPOSE = 'Abrir su cuenta';

let store: TestDatabase;
let wallets: RunningWallets;
let tenant: Tenant;

beforeAll(async () => {
  store = await testDatabase();
  wallets = await RunningWallets.start(store);
  const ana = await wallets.verified(documentOf('approve'));
  await ana.keep(ANA);
  await wallets.mail(ANA, 1);
  await store.query('update identity.wallet set discoverable = true');
  const { id, slug } = await testTenant(store, { credits: 1_000_000 });
  tenant = { id, slug, displayName: 'Banco', plan: 'starter', environment: 'sandbox', standing: 'active' };
});
afterAll(async () => {
  await wallets?.close();
  await store?.drop();
});

const service = <Service>(of: abstract new (...given: never[]) => Service): Service =>
  wallets.platform.app.get<Service>(of as never, { strict: false });

/** The handler is called without the network and without its limits: what differs would differ there, with more noise. */
const reply = { code: () => reply, headers: () => reply, header: () => reply } as unknown as FastifyReply;

const discover = async (number: string): Promise<string> => {
  const body = { document_type: 'CC', document_number: number, country: 'CO', purpose: PURPOSE } as const;
  const text = await service(Discover).handle(tenant, undefined, body, reply);
  return (JSON.parse(text) as { discovery_id: string }).discovery_id;
};

/** Welch's t of two samples, without the slowest twentieth of both together: pauses of the machine. */
function welch(a: number[], b: number[]): number {
  const limit = [...a, ...b].sort((x, y) => x - y)[Math.floor((a.length + b.length) * 0.95)] as number;
  const [x, y] = [a, b].map((samples) => {
    const kept = samples.filter((sample) => sample <= limit);
    const mean = kept.reduce((sum, sample) => sum + sample, 0) / kept.length;
    const variance = kept.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / (kept.length - 1);
    return { mean, error: variance / kept.length };
  }) as [{ mean: number; error: number }, { mean: number; error: number }];
  return (x.mean - y.mean) / Math.sqrt(x.error + y.error);
}

/** |t| between what is done about somebody who has a wallet and about anyone else. */
async function difference(act: (kind: 0 | 1) => Promise<unknown>): Promise<number> {
  const samples: [number[], number[]] = [[], []];
  for (let i = 0; i < SAMPLES + WARM_UP; i += 1) {
    // In random order, so that what the machine does meanwhile meets both alike.
    const order = Math.random() < 0.5 ? [0, 1] : [1, 0];
    for (const kind of order as (0 | 1)[]) {
      const begun = performance.now();
      await act(kind);
      if (i >= WARM_UP) samples[kind].push(performance.now() - begun);
    }
  }
  return Math.abs(welch(...samples));
}

describe('it takes as long for a person who has a wallet as for anyone else', () => {
  const numbers = [documentOf('approve'), '1999000999'] as const;

  it('to discover', async () => {
    const t = await difference((kind) => discover(numbers[kind]));
    console.log(`discover: |t| = ${t.toFixed(2)} over ${SAMPLES} samples each`);
    expect(t).toBeLessThan(LIMIT);
  }, 180_000);
});
