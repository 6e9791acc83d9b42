import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { verifySealedDocument } from '@constancia/sdk';
import { eventually, freePort, type TestStack } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, uuidOf } from '@constancia/kernel';
import { type ChainedEvent, verifyChain } from '@constancia/persistence';
import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import {
  brokenInvariants,
  httpOf,
  grantCredits,
  inStore,
  type Integrator,
  NO_LIMITS,
  signUp,
  startDeployment,
} from './deployment.fixture.ts';
import { INVITATION, linkIn, type Mail, tokenOf } from '../web/mailbox-reader.ts';
import { runProgram } from './guide.fixture.ts';
import {
  call,
  envelopeIn,
  envelopeOf,
  type Part,
  publishedCircuit,
  sendEnvelope,
  type SentEnvelope,
  type SentSigner,
  signByHttp,
} from './envelopes.fixture.ts';

const ENVELOPES = Number(process.env.ENVELOPES ?? '200');
/** Signers who are at it at the same time. */
const AT_ONCE = 40;
const MAIL_AWAY_MS = Number(process.env.MAIL_AWAY_SECONDS ?? '4') * 1_000;
const TOGETHER: Part[] = ['comprador', 'vendedor', 'testigo'].map((role) => ({ role, order: 1 }));
const IN_TURN: Part[] = ['comprador', 'vendedor', 'testigo'].map((role, index) => ({
  role,
  order: index === 2 ? 2 : 1,
}));

/** What the trail has of one signer; three mails each are recorded. */
const EVIDENCE = [
  'signer.authenticated', 'signer.consented', 'signer.link_opened', 'signer.notified', 'signer.notified', 'signer.notified',
  'signer.otp_sent', 'signer.signed',
]; // prettier-ignore

interface TrailEvent extends ChainedEvent {
  type: string;
  role: string | null;
  data: Record<string, unknown>;
}

describe('envelopes over all processes', () => {
  let stack: TestStack;
  let mail: Mailbox;
  let integrator: Integrator;
  let together: string;
  let inTurn: string;
  let objects: string;
  let people = 0;
  /** The envelope that a killed worker was sealing: its lease runs while the next tests do. */
  let inHand = '';

  beforeAll(async () => {
    objects = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-objects-'));
    mail = await startMailbox({ smtpPort: await freePort(), maxMessages: 10_000 });
    stack = await startDeployment({
      apps: ['platform', 'signing', 'sealing-worker'],
      env: { ...NO_LIMITS, SMTP_URL: mail.smtpUrl, STORAGE_DIR: objects, DRAIN_SECONDS: '1' },
    });
    integrator = await signUp(stack);
    await grantCredits(stack, integrator);
    together = await publishedCircuit(stack, integrator, { parts: TOGETHER });
    inTurn = await publishedCircuit(stack, integrator, { parts: IN_TURN });
  });
  afterAll(async () => {
    await stack?.close();
    await mail?.close();
    fs.rmSync(objects, { recursive: true, force: true });
  });

  const mailbox = (address: string) => mail.messages(address);

  function sent(circuitId = together): Promise<SentEnvelope> {
    const number = ++people;
    const persons = TOGETHER.map(({ role }) => ({
      role,
      email: `${role}-${number}@canary.example`,
      name: 'Ana María Núñez',
    }));
    return sendEnvelope(stack, integrator, circuitId, persons);
  }

  const trailOf = async (id: string): Promise<TrailEvent[]> =>
    (
      await call<{ data: TrailEvent[] }>(stack, `/v1/envelopes/${id}/audit?limit=100`, {
        key: integrator.apiKey,
        expect: 200,
      })
    ).data;

  /** Opens the link of the mail, as a person does, and signs. */
  async function sign({ email }: SentSigner): Promise<void> {
    const invitation = await eventually(() => mailWithLink(email), 60_000, 200);
    await signByHttp(stack, mailbox, { email, sign_token: tokenOf(linkIn(stack, invitation)) });
  }

  function mailWithLink(address: string): Mail {
    const invitation = mailbox(address).find(({ text }) => INVITATION.test(text));
    if (!invitation) throw new Error(`no link for ${address}`);
    return invitation;
  }

  /** Everybody but the last has signed: the next signature is the one after which the envelope is sealed. */
  async function withOneLeft(): Promise<{ envelope: SentEnvelope; last: SentSigner }> {
    const envelope = await sent();
    const [first, second, last] = envelope.signers as [SentSigner, SentSigner, SentSigner];
    await Promise.all([sign(first), sign(second)]);
    return { envelope, last };
  }

  /** How many events tell that an envelope was completed, by its id. */
  async function completions(): Promise<Map<string, number>> {
    const rows = await inStore<{ id: string; times: number }>(
      stack,
      `select body::jsonb -> 'payload' ->> 'envelope_id' as id, count(*)::int as times
         from platform.event where event_type = 'seal.envelope.completed' group by 1`,
    );
    return new Map(rows.map(({ id, times }) => [id, times]));
  }

  /** How often the trail and the webhooks tell that the envelope was sealed. */
  async function timesSealed(id: string): Promise<{ trail: number; events: number }> {
    const trail = (await trailOf(id)).filter(({ type }) => type === 'envelope.sealed').length;
    return { trail, events: (await completions()).get(id) ?? 0 };
  }

  describe('a sealed document', () => {
    let id: string;
    let folder: string;
    const program = (command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd: folder, encoding: 'utf8' });

    beforeAll(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'envelope-'));
      const circuit = await publishedCircuit(stack, integrator, { parts: TOGETHER, pages: 2, full: true });
      const envelope = await sent(circuit);
      id = envelope.id;
      for (const signer of envelope.signers)
        await signByHttp(stack, mailbox, signer, { name: 'Ana María Núñez', city: 'Chiquinquirá' });
      await envelopeIn(stack, integrator, id, ['sealed']);
      const answer = await httpOf(stack)(`${stack.signingUrl}/v1/envelopes/${id}/document`, {
        headers: { 'X-API-Key': integrator.apiKey },
      });
      const pdf = Buffer.from(await answer.arrayBuffer());
      fs.writeFileSync(path.join(folder, 'document.pdf'), pdf);
      const signatureHex = answer.headers.get('x-signature') as string;
      const { data: keys } = await integrator.signing.GET('/v1/signing-keys');
      const publicKeyPem = await (await fetch(keys?.data[0]?.public_key_url as string)).text();
      fs.writeFileSync(path.join(folder, 'signature.bin'), Buffer.from(signatureHex, 'hex'));
      fs.writeFileSync(path.join(folder, 'key.pem'), publicKeyPem);
      expect(verifySealedDocument({ pdf, signatureHex, publicKeyPem })).toMatchObject({ valid: true });
    });
    afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

    it('is valid under pdfsig and openssl, and clean under qpdf', () => {
      expect(program('pdfsig', '-nocert', 'document.pdf')).toMatch(/Total document signed[\s\S]*Signature is Valid/);
      expect(
        program('openssl', 'dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature.bin', 'document.pdf'),
      ).toContain('Verified OK');
      expect(program('qpdf', '--check', 'document.pdf')).toContain('No syntax or stream encoding errors');
    });

    it('shows every answer at its place, and the certificate of completion with all that the trail knows', async () => {
      const contract = program('pdftotext', '-layout', '-f', '2', '-l', '2', 'document.pdf', '-');
      expect(contract.match(/Chiquinquirá/g)).toHaveLength(3);
      expect(contract.match(/Ana María Núñez/g)?.length).toBeGreaterThanOrEqual(6);
      expect(contract.match(/MP/g)?.length).toBeGreaterThanOrEqual(3);
      const certificate = program('pdftotext', '-raw', '-f', '3', 'document.pdf', '-').replace(/\s+/g, '');
      const trail = await trailOf(id);
      const lastSignature = trail.filter(({ type }) => type === 'signer.signed').at(-1) as TrailEvent;
      const [row] = await inStore<{ public_id: string }>(
        stack,
        `select e.public_id from signing.envelope e join signing.envelope_event t on t.envelope_id = e.id where t.hash = $1`,
        [lastSignature.hash],
      );
      for (const fact of [
        'comprador',
        'vendedor',
        'testigo',
        '@canary.example',
        '127.0.0.1',
        `${stack.signUrl}/verify/${row?.public_id}`,
        lastSignature.hash,
      ])
        expect(certificate).toContain(fact.replace(/\s+/g, ''));
    });

    it('has a trail that the public program of the guide accepts, and refuses with one changed row', async () => {
      const audit = await call<object>(stack, `/v1/envelopes/${id}/audit?limit=100`, {
        key: integrator.apiKey,
        expect: 200,
      });
      const accepted = runProgram('docs/guides/envelopes.md', { 'audit.json': JSON.stringify(audit) }, ['audit.json']);
      expect(accepted).toMatchObject({
        status: 0,
        output: expect.stringMatching(/^valid, \d+ events, head at the last signature [0-9a-f]{64}$/),
      });
      const event = (await trailOf(id))[3] as TrailEvent;
      const rewrite = (data: object) =>
        inStore(
          stack,
          `do $$ begin
             alter table signing.envelope_event disable trigger keep;
             update signing.envelope_event set data = '${canonicalJson(data)}' where hash = '${event.hash}';
             alter table signing.envelope_event enable trigger keep;
           end $$`,
        );
      await rewrite({ locale: 'en' });
      const altered = await call<object>(stack, `/v1/envelopes/${id}/audit?limit=100`, {
        key: integrator.apiKey,
        expect: 200,
      });
      const refused = runProgram('docs/guides/envelopes.md', { 'audit.json': JSON.stringify(altered) }, ['audit.json']);
      await rewrite(event.data); // the last test looks at every chain
      expect(refused).toMatchObject({ status: 1, output: expect.stringContaining('breaks at event 4') });
    });
  });

  it(`seals ${ENVELOPES} envelopes that three signers each sign at the same time: once, with right chains, every mail once`, async () => {
    const { data: before } = await integrator.platform.GET('/v1/billing/balance');
    const began = performance.now();
    const envelopes: SentEnvelope[] = [];
    await eachAtOnce(Array.from({ length: ENVELOPES }), 20, async (_, index) => {
      envelopes[index] = await sent(index % 2 ? inTurn : together);
    });
    const created = performance.now();
    const firsts = envelopes.flatMap(({ signers }) => signers.filter(({ status }) => status === 'pending'));
    const seconds = envelopes.flatMap(({ signers }) => signers.filter(({ status }) => status === 'waiting'));
    await eachAtOnce(firsts, AT_ONCE, sign);
    await eachAtOnce(seconds, AT_ONCE, sign);
    const signed = performance.now();
    await eventually(
      async () => {
        const [row] = await inStore<{ open: number }>(
          stack,
          `select count(*)::int as open from signing.envelope where status <> 'sealed'`,
        );
        expect(row?.open).toBe(0);
      },
      60_000,
      250,
    );
    const addresses = envelopes.flatMap(({ signers }) => signers.map(({ email }) => email));
    await eventually(
      async () => {
        const [row] = await inStore<{ waiting: number }>(
          stack,
          'select count(*)::int as waiting from signing.signer_mail where sent_at is null',
        );
        expect(row?.waiting).toBe(0);
      },
      60_000,
      250,
    );
    const done = performance.now();

    // Every mail once: an invitation, a code and the news of the seal.
    const wrong = addresses.filter(
      (address) =>
        new Set(mail.messages(address).map(({ subject }) => subject)).size !== 3 || mail.messages(address).length !== 3,
    );
    expect(wrong).toEqual([]);
    // Sealed once, announced once.
    const completed = await completions();
    expect(envelopes.filter(({ id }) => completed.get(id) !== 1)).toEqual([]);
    // 600 signers with their evidence, in unbroken chains.
    let signatures = 0;
    await eachAtOnce(envelopes, 10, async ({ id, signers }) => {
      const trail = await trailOf(id);
      expect(verifyChain(trail)).toMatchObject({ valid: true });
      expect(trail.filter(({ type }) => type === 'envelope.sealed')).toHaveLength(1);
      for (const { role } of signers) {
        const own = trail.filter((event) => event.role === role).map(({ type }) => type);
        expect([id, role, own.sort()]).toEqual([id, role, EVIDENCE]);
        signatures += 1;
      }
    });
    expect(signatures).toBe(3 * ENVELOPES);
    const { data: after } = await integrator.platform.GET('/v1/billing/balance');
    expect((before?.available ?? 0) - (after?.available ?? 0)).toBe(40 * ENVELOPES);
    const latencies = await inStore<{ ms: number }>(
      stack,
      `select extract(epoch from e.signed_at - (select max(s.signed_at) from signing.envelope_signer s where s.envelope_id = e.id))::float * 1000 as ms
         from signing.envelope e order by 1`,
    );
    const at = (share: number) => Math.round(latencies[Math.ceil(latencies.length * share) - 1]?.ms ?? 0);
    const s = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
    console.log(
      `${ENVELOPES} envelopes: created in ${s(began, created)} s, ${3 * ENVELOPES} signers in ${s(created, signed)} s, rest ${s(signed, done)} s; ` +
        `last signature to sealed p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    );
  }, 240_000);

  it('reaches sealing exactly once when the final signatures arrive together', async () => {
    const envelope = await sent();
    await Promise.all(envelope.signers.map(sign));
    await envelopeIn(stack, integrator, envelope.id, ['sealed']);
    await eventually(async () => expect(await timesSealed(envelope.id)).toEqual({ trail: 1, events: 1 }));
  });

  it('a worker killed with -9 between the last signature and the seal loses nothing', async () => {
    const { envelope, last } = await withOneLeft();
    stack.kms.setMode('hang');
    try {
      await sign(last);
      await eventually(async () => {
        const [row] = await inStore<{ leased: number }>(
          stack,
          `select count(*)::int as leased from signing.envelope where lease_token is not null and status = 'sealing'`,
        );
        expect(row?.leased).toBe(1);
      });
      await stack.app('sealing-worker').end('SIGKILL');
      expect((await envelopeOf(stack, integrator, envelope.id)).status).toBe('sealing');
      inHand = envelope.id;
    } finally {
      stack.kms.setMode('ok');
      await stack.app('sealing-worker').start();
    }
  });

  it('storage that fails while sealing: the envelope says so, and is sealed when storage is back', async () => {
    const { envelope, last } = await withOneLeft();
    stack.kms.setMode('5xx');
    await sign(last);
    fs.renameSync(objects, `${objects}-away`);
    try {
      fs.writeFileSync(objects, 'no folder');
      stack.kms.setMode('ok');
      await eventually(
        async () => {
          const [row] = await inStore<{ last_setback: string }>(
            stack,
            'select last_setback from signing.envelope where id = $1',
            [uuidOf('env', envelope.id)],
          );
          expect(row?.last_setback).toBe('storage');
        },
        30_000,
        200,
      );
      expect((await envelopeOf(stack, integrator, envelope.id)).status).toBe('sealing');
    } finally {
      stack.kms.setMode('ok');
      fs.rmSync(objects, { force: true });
      fs.renameSync(`${objects}-away`, objects);
    }
    await envelopeIn(stack, integrator, envelope.id, ['sealed'], 60_000);
    expect(await timesSealed(envelope.id)).toEqual({ trail: 1, events: 1 });
  });

  it('an unavailable mail server holds nothing up, and every mail arrives once when it is back', async () => {
    const { smtpPort } = mail;
    await mail.close();
    const asked = performance.now();
    const envelope = await sent();
    expect(performance.now() - asked).toBeLessThan(2_000);
    await new Promise((resolve) => setTimeout(resolve, MAIL_AWAY_MS));
    mail = await startMailbox({ smtpPort, maxMessages: 10_000 });
    const addresses = envelope.signers.map(({ email }) => email);
    await eventually(
      () => expect(addresses.map((address) => mail.messages(address).length)).toEqual([1, 1, 1]),
      60_000,
      200,
    );
    await Promise.all(envelope.signers.map(sign));
    await envelopeIn(stack, integrator, envelope.id, ['sealed']);
    await eventually(
      () => expect(addresses.map((address) => mail.messages(address).length)).toEqual([3, 3, 3]),
      30_000,
      200,
    );
  });

  it('what the killed worker had in progress is sealed by another run once its lease is over, once', async () => {
    await envelopeIn(stack, integrator, inHand, ['sealed'], 40_000);
    expect(await timesSealed(inHand)).toEqual({ trail: 1, events: 1 });
  });

  it('leaves every invariant whole, and no address, name or code in a log', async () => {
    expect(await brokenInvariants(stack)).toEqual([]);
    const logs = stack.logs();
    expect(logs.length).toBeGreaterThan(1_000);
    expect(['canary.example', 'Núñez', 'Chiquinquirá'].filter((canary) => logs.includes(canary))).toEqual([]);
  });
});

/** Does the work for every item, at most so many at a time. */
async function eachAtOnce<Item>(
  items: Item[],
  most: number,
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < items.length) {
      const index = next++;
      await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, one));
}
