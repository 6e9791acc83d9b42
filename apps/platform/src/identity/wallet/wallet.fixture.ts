import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import type { KeepState } from '@constancia/contracts';
import { eventually, freePort, type TestDatabase, testTenant } from '@constancia/testing';
import { openHosted, PersonHost } from '../capture/capture.fixture.ts';
import { FlowCaller, runningIdentity, type RunningIdentity } from '../running-identity.fixture.ts';
import { SANDBOX_TRIGGERS } from '../sessions/sandbox-triggers.ts';

export const documentOf = (trigger: string): string =>
  SANDBOX_TRIGGERS.find(({ name }) => name === trigger)?.documentNumber ?? '';

/** The platform with a mailbox, and persons on its person host. */
export class RunningWallets {
  private constructor(
    readonly store: TestDatabase,
    readonly platform: RunningIdentity,
    readonly mailbox: Mailbox,
    readonly host: PersonHost,
  ) {}

  static async start(store: TestDatabase, env: Record<string, string> = {}): Promise<RunningWallets> {
    const mailbox = await startMailbox({ smtpPort: await freePort() });
    const platform = await runningIdentity(store, {
      SMTP_URL: mailbox.smtpUrl,
      RATE_LIMIT_SIGN_IN: '1000000',
      RATE_LIMIT_WRONG_KEY: '1000000',
      ...env,
    });
    return new RunningWallets(store, platform, mailbox, await PersonHost.of(platform));
  }

  async close(): Promise<void> {
    await this.platform.close();
    await this.mailbox.close();
  }

  /** A person whom a new tenant has verified, at the end of the session. */
  async verified(documentNumber: string, display: object = {}): Promise<VerifiedPerson> {
    const { person, session } = await this.opened(documentNumber, display);
    await person.flows.walk(session);
    const { status } = await person.flows.show(session);
    if (status !== 'completed') throw new Error(`the session is ${status}`);
    return person;
  }

  /** The first person who keeps a verification; the id of the wallet is a UUID. */
  async keeper(documentNumber: string, address: string): Promise<{ person: VerifiedPerson; walletId: string }> {
    const person = await this.verified(documentNumber);
    await person.keep(address);
    await this.mail(address, 1);
    const [wallet] = await this.store.query<{ wallet_id: string }>('select wallet_id from identity.wallet');
    if (wallet === undefined) throw new Error('no wallet');
    return { person, walletId: wallet.wallet_id };
  }

  /** A person whom a new tenant wants to verify, at the beginning of the session. */
  async opened(documentNumber: string, display: object = {}) {
    const flows = new FlowCaller(this.platform, await testTenant(this.store, { credits: 1_000 }), this.store);
    await flows.seed();
    const { session, token } = await openHosted(flows, { document_number: documentNumber, ...display });
    return { person: new VerifiedPerson(this, flows, session.subject_id, token), session };
  }

  /** The mail that an address gets after so many. */
  mail(address: string, after: number): Promise<{ subject: string; text: string }> {
    return eventually(() => {
      const mails = this.mailbox.messages(address);
      if (mails.length <= after) throw new Error(`no mail to ${address} yet`);
      return mails[0] as { subject: string; text: string };
    }, 20_000);
  }

  /** Lets an address ask for another code at once. */
  async forgetSends(): Promise<void> {
    await this.store.query(`update identity.sign_in_code set sends = '{}'`);
  }
}

export class VerifiedPerson {
  constructor(
    private readonly wallets: RunningWallets,
    readonly flows: FlowCaller,
    readonly subjectId: string,
    readonly token: string,
  ) {}

  call(path: string, body?: object) {
    return this.wallets.host.call<KeepState>(`/capture/wallet${path}`, { token: this.token, body });
  }

  /** Ticks the box and gives an address; answers what the page gets. */
  async ask(email: string) {
    const { body } = await this.call('');
    const { version, locale, sha256 } = body.consent;
    return this.call('', { accepted: true, email, version, locale, sha256 });
  }

  /** The same, with the code of the mail. */
  async keep(email: string) {
    await this.wallets.forgetSends();
    const before = this.wallets.mailbox.messages(email).length;
    const asked = await this.ask(email);
    const code = codeIn(await this.wallets.mail(email, before));
    return { asked, confirmed: await this.call('/confirm', { code }) };
  }
}

export function codeIn({ text }: { text: string }): string {
  const code = /^(\d{6})\r?$/m.exec(text)?.[1];
  if (code === undefined) throw new Error('no code in the mail');
  return code;
}
