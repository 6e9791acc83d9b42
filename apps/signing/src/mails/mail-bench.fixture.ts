import {
  eventually,
  freePort,
  ContractChecker,
  testDatabase,
  type TestDatabase,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { expect } from 'vitest';
import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import { publishedCircuit } from '../circuits/circuits.fixture.ts';
import type { CreatedEnvelopeView, EnvelopeView } from '../envelopes/envelope-view.ts';
import { sentEnvelope } from '../envelopes/envelopes.fixture.ts';
import { type Answer, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';

/** The signing app with a mail server at which nothing listens until a test opens the mailbox; a tenant for each test. */
export class MailBench {
  database: TestDatabase;
  app: RunningSigning;
  smtpPort: number;
  tenant: TestTenant;
  circuitId: string;
  mailbox: Mailbox | undefined;

  async open(): Promise<void> {
    this.database = await testDatabase();
    this.smtpPort = await freePort();
    this.app = await this.startApp();
  }

  async close(): Promise<void> {
    await this.app?.close();
    await this.database?.drop();
  }

  async useTenant({ verified = true } = {}): Promise<void> {
    this.tenant = await testTenant(this.database, { credits: 100_000, verified });
    this.circuitId = await publishedCircuit(this.app, this.tenant.apiKey);
  }

  /** Nothing that one test leaves is sent in another. */
  async endTest(): Promise<void> {
    await this.database.query(
      `update signing.signer_mail set failed_at = now(), lease_token = null where sent_at is null`,
    );
    await this.mailbox?.close();
    this.mailbox = undefined;
  }

  startApp(env: Record<string, string> = {}): Promise<RunningSigning> {
    return runningSigning(this.database, {
      env: { SMTP_URL: `smtp://127.0.0.1:${this.smtpPort}`, ...env },
      check: (seen) => ContractChecker.of('signing').check(seen),
    });
  }

  async openMailbox(): Promise<void> {
    this.mailbox = await startMailbox({ smtpPort: this.smtpPort, maxMessages: 5_000 });
  }

  /** An envelope for this buyer, and a seller who signs after the buyer. */
  send(buyer: string, changes: object = {}): Promise<CreatedEnvelopeView> {
    return sentEnvelope(this.app, this.tenant.apiKey, this.circuitId, { signers: signersOf(buyer), ...changes });
  }

  async show({ id }: { id: string }): Promise<EnvelopeView> {
    return (await this.app.call<EnvelopeView>(`/v1/envelopes/${id}`, { key: this.tenant.apiKey })).body;
  }

  post<Body>(route: string, body?: object): Promise<Answer<Body>> {
    return this.app.call<Body>(`/v1/envelopes/${route}`, { method: 'POST', key: this.tenant.apiKey, body });
  }

  received(to: string, count = 1) {
    return eventually(() => {
      const messages = this.mailbox?.messages(to) ?? [];
      expect(messages).toHaveLength(count);
      return messages;
    }, 20_000);
  }
}

export const signersOf = (buyer: string) => [
  { role: 'buyer', email: buyer, name: 'Ana' },
  { role: 'seller', email: `s-${buyer}` },
];
