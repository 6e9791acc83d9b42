import { sleep } from '@constancia/kernel';
import { isFinal, type Journal, type Redemption } from '../../oracle/journal.ts';
import { PersonBrowser } from '../../e2e/openid/person-browser.fixture.ts';
import { basic, type RegisteredClient, REDIRECT, RelyingParty } from '../../e2e/openid/relying-party.fixture.ts';
import type { Random } from '../random.ts';
import type { Stage, Tenant } from '../stage.ts';
import type { Asking } from './asking.ts';

/** Of a round and a tenant: a client pays for a verification once, and a tenant has fifty. */
const CLIENTS = 3;
/** Ends of a sign-in that gives no code: the person said no, or the store was away. */
const NO_CODE = ['access_denied', 'temporarily_unavailable'];

/** Until a code is given up: it lives for a minute. */
const MOST_SENT = 40;
const PAUSE_MS = 500;

/** An application of a tenant, to which a person signs in. */
export class SignIns {
  private readonly clients: RegisteredClient[] = [];
  private readonly party: RelyingParty;

  constructor(
    private readonly asking: Asking,
    private readonly journal: Journal,
    private readonly stage: Stage,
    tenant: Tenant,
    email: string,
    private readonly random: Random,
  ) {
    const { stack } = stage;
    this.party = new RelyingParty(stack, tenant, new PersonBrowser(stack, email), email);
  }

  /** One sign-in, with verified claims or without, and what its code is redeemed for: once, or by several at once. */
  async once(): Promise<void> {
    const client = await this.client().catch(() => undefined);
    if (!client) return;
    const paid = this.random.next() < 0.6;
    const verifier = `${crypto.randomUUID()}${crypto.randomUUID()}`;
    const code = await this.code(client, verifier, paid ? 'openid email kyc' : 'openid email').catch(() => undefined);
    if (code === undefined) return; // the person gives up, and begins again later
    if (paid) this.journal.statements.push({ kind: 'verification released', id: client.client_id, status: 'released' });
    await this.redeem(client, { code, verifier, paid });
  }

  private async client(): Promise<RegisteredClient> {
    if (this.clients.length < CLIENTS) this.clients.push(await this.party.register());
    return this.random.pick(this.clients);
  }

  /** Sends the person's browser; the code that it comes back with. */
  private async code(client: RegisteredClient, verifier: string, scope: string): Promise<string | undefined> {
    const { party } = this;
    const asked = await party.parameters(verifier, { scope });
    const query = new URLSearchParams({ response_type: 'code', client_id: client.client_id, ...asked });
    party.person.answer = this.random.next() < 0.1 ? 'refuse' : 'agree';
    const back = await party.person.open(`${party.issuer}/authorize?${query}`);
    if (back instanceof Response) {
      if (back.status === 500) this.surprise(`answered 500: authorize ${(await back.text()).slice(0, 300)}`);
      return undefined;
    }
    const error = back.searchParams.get('error');
    if (error !== null && !NO_CODE.includes(error)) this.surprise(`a sign-in ended with ${back.search}`);
    return back.searchParams.get('code') ?? undefined;
  }

  private async redeem(client: RegisteredClient, given: { code: string; verifier: string; paid: boolean }) {
    const tokens: string[] = [];
    const statuses: Redemption = [];
    const send = async () => {
      const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT };
      const sent = { ...form, code: given.code, code_verifier: given.verifier };
      const answer = await this.asking.answered('token', () => this.party.post('/token', sent, basic(client)));
      statuses.push(answer.status);
      if (answer.status === 200) tokens.push(String(answer.body.access_token));
    };
    const times = this.random.pick([1, 1, 2, 3]);
    await Promise.all(Array.from({ length: times }, send));
    while (tokens.length === 0 && !isFinal(statuses.at(-1) ?? null) && statuses.length < MOST_SENT) {
      await sleep(PAUSE_MS);
      await send();
    }
    // A jump of the clock ends codes, which live for a minute.
    if (tokens.length > 0 || this.stage.clock === undefined) this.journal.redemptions.push(statuses);
    if (times === 1 && statuses.length === 1 && tokens[0] !== undefined) await this.read(tokens[0], given.paid);
  }

  /** What the tokens are about. A code that was sent again took them back. */
  private async read(token: string, paid: boolean): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const url = `${this.party.issuer}/userinfo`;
    const { status, body } = await this.asking.answered('userinfo', () => this.party.fetch(url, { headers }));
    if (status === 200 && paid && body.verified_claims === undefined)
      this.surprise(`released, and not given: ${JSON.stringify(body)}`);
  }

  private surprise(what: string): void {
    this.journal.surprises.push(what);
  }
}
