import type { Tenant } from '@constancia/http';
import { typeId, uuidOf } from '@constancia/kernel';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import type { FastifyReply } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WalletRecoveries } from '../wallet/recovery/wallet-recoveries.ts';
import { WalletSessions } from '../wallet/sessions/wallet-sessions.ts';
import { WalletMails } from '../wallet/wallet-mails.ts';
import { documentOf, RunningWallets } from '../wallet/wallet.fixture.ts';
import { ConsentCodes } from './consent-codes.ts';
import type { ConsentBearer } from './consent-links.ts';
import { Discover } from './discover.ts';
import { PresentationSweep } from './presentation-sweep.ts';
import { RequestPresentation } from './request-presentation.ts';

const SAMPLES = 3_000;
/** In CI, of what is not discovery or the begin of a recovery. */
const OTHERS = process.env.CI === undefined ? SAMPLES : 500;
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
  await wallets.keeper(documentOf('approve'), ANA);
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

/** |t| between what is done about somebody who has a wallet and about anyone else. `reset`: not measured. */
async function difference(
  count: number,
  act: (kind: 0 | 1) => Promise<unknown>,
  reset?: () => Promise<unknown>,
): Promise<number> {
  const samples: [number[], number[]] = [[], []];
  for (let i = 0; i < count + WARM_UP; i += 1) {
    // In random order, so that what the machine does meanwhile meets both alike.
    const order = Math.random() < 0.5 ? [0, 1] : [1, 0];
    for (const kind of order as (0 | 1)[]) {
      const begun = performance.now();
      await act(kind);
      if (i >= WARM_UP) samples[kind].push(performance.now() - begun);
    }
    await reset?.();
  }
  return Math.abs(welch(...samples));
}

describe('it takes as long for a person who has a wallet as for anyone else', () => {
  const numbers = [documentOf('approve'), '1999000999'] as const;

  const addresses = [ANA, `nobody${ANA.slice(6)}`] as const;

  const measured = async (
    [what, count]: [what: string, count: number],
    act: (kind: 0 | 1) => Promise<unknown>,
    reset?: () => Promise<unknown>,
  ) => {
    const t = await difference(count, act, reset);
    console.log(`${what}: |t| = ${t.toFixed(2)} over ${count} samples each`);
    expect(t).toBeLessThan(LIMIT);
  };
  /** What comes of a request in the background is written down, and goes on for neither. */
  const nothingInBackground = () => {
    vi.spyOn(service(WalletMails), 'wake').mockReturnValue(undefined);
    vi.spyOn(service(PresentationSweep), 'wake').mockReturnValue(undefined);
  };

  it('to discover', () => measured(['discover', SAMPLES], (kind) => discover(numbers[kind])), 180_000);

  it('to request a presentation', async () => {
    nothingInBackground();
    const discovered = [await discover(numbers[0]), await discover(numbers[1])] as const;
    const request = service(RequestPresentation);
    const act = (kind: 0 | 1) =>
      request.handle(
        tenant,
        undefined,
        { discovery_id: discovered[kind], channel: 'registered_contact', purpose: PURPOSE },
        reply,
      );
    await measured(['request-presentation', OTHERS], act);
  }, 180_000);

  it('to ask for the code that signs in', async () => {
    nothingInBackground();
    const sessions = service(WalletSessions);
    const reset = () =>
      store.query(`with m as (delete from identity.wallet_mail) update identity.sign_in_code set sends = '{}'`);
    await measured(['sign-in start', OTHERS], (kind) => sessions.start(addresses[kind]), reset);
  }, 180_000);

  it('to begin a recovery, and to give it a wrong code', async () => {
    nothingInBackground();
    const recoveries = service(WalletRecoveries);
    const last = ['', ''];
    const reset = () =>
      store.query(`with m as (delete from identity.wallet_mail)
        update identity.wallet_recovery set created_at = created_at - interval '2 days', wrong_codes = 0
         where created_at > now() - interval '1 day'`);
    const start = async (kind: 0 | 1) => (last[kind] = (await recoveries.start(addresses[kind])).id);
    await measured(['recovery start', SAMPLES], start, reset);
    const ids = [typeId('wrc', last[0]), typeId('wrc', last[1])] as const;
    await store.query('update identity.wallet_recovery set wrong_codes = -100000'); // the third would end it
    const wrong = (kind: 0 | 1) => recoveries.verify(ids[kind], '000000').catch(() => undefined);
    await measured(['recovery wrong code', OTHERS], wrong);
  }, 180_000);

  it('to give a wrong code on the consent page', async () => {
    nothingInBackground();
    const codes = service(ConsentCodes);
    const bearerOf = async (address: string): Promise<ConsentBearer> => {
      const body = { wallet_hint: 'qr', channel: 'redirect', purpose: PURPOSE } as const;
      const { id } = JSON.parse(await service(RequestPresentation).handle(tenant, undefined, body, reply)) as {
        id: string;
      };
      const presentationId = uuidOf('wpr', id) as string;
      const bearer = {
        tenantId: tenant.id,
        standing: 'active',
        presentationId,
        place: { kind: 'link', token: '' },
        browser: null,
      } as const;
      await codes.send(bearer, address);
      return bearer;
    };
    const bearers = [await bearerOf(addresses[0]), await bearerOf(addresses[1])] as const;
    // The fifth would end the link, and lock the address.
    await store.query('update identity.wallet_presentation set wrong_codes = -100000');
    await store.query('update identity.sign_in_code set wrong_attempts = -100000');
    const wrong = (kind: 0 | 1) => codes.verify(bearers[kind], 'browser', '000000').catch(() => undefined);
    await measured(['consent wrong code', OTHERS], wrong);
  }, 180_000);
});
