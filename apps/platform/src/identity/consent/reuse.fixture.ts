import type { ConsentEnd, ConsentState } from '@constancia/contracts';
import { eventually, type TestTenant, testTenant } from '@constancia/testing';
import type { PageAnswer } from '../capture/capture.fixture.ts';
import { codeIn, type RunningWallets } from '../wallet/wallet.fixture.ts';
import { PresentationSweep } from './presentation-sweep.ts';

export interface Requested {
  id: string;
  status: string;
  consent_url: string | null;
  qr_uri: string | null;
  subject_id: string | null;
  claims: Record<string, string> | null;
  expires_at: string;
  credits_held: number;
}

interface Sent {
  key?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** A tenant that asks persons for what they keep. */
export class AskingTenant {
  private constructor(
    readonly wallets: RunningWallets,
    readonly tenant: TestTenant,
  ) {}

  static async create(wallets: RunningWallets, credits = 1_000): Promise<AskingTenant> {
    return new AskingTenant(wallets, await testTenant(wallets.store, { credits }));
  }

  discover(document_number: string, headers: Record<string, string> = {}, more: object = {}) {
    const body = { document_type: 'CC', document_number, country: 'CO', purpose: 'Abrir su cuenta', ...more };
    return this.call<{ discovery_id: string }>('/v1/wallet/discover', { body, headers });
  }

  request(body: object, headers: Record<string, string> = {}) {
    return this.call<Requested>('/v1/wallet/request-presentation', { body, headers });
  }

  /** A link that the tenant shows. */
  async link(more: object = {}): Promise<{ id: string; page: ConsentPage }> {
    const body = { wallet_hint: 'qr', channel: 'redirect', purpose: 'Abrir su cuenta', ...more };
    const answer = await this.request(body);
    if (answer.status !== 201) throw new Error(answer.text);
    return { id: answer.body.id, page: new ConsentPage(this.wallets, tokenOf(answer.body.consent_url as string)) };
  }

  show(id: string) {
    return this.call<Requested>(`/v1/wallet/presentations/${id}`);
  }

  cancel(id: string) {
    return this.call<Requested>(`/v1/wallet/presentations/${id}/cancel`, { body: {} });
  }

  async balance(): Promise<{ available: number; held: number; entries: string[] }> {
    const { store, tenant } = { store: this.wallets.store, tenant: this.tenant.id };
    const [account] = await store.query<{ available: string; held: string }>(
      'select available, held from platform.credit_account where tenant_id = $1',
      [tenant],
    );
    const entries = await store.query<{ kind: string; amount: string }>(
      'select kind, amount from platform.credit_entry where tenant_id = $1 order by seq',
      [tenant],
    );
    return {
      available: Number(account?.available),
      held: Number(account?.held),
      entries: entries.slice(1).map(({ kind, amount }) => `${kind} ${amount}`),
    };
  }

  async events(): Promise<{ type: string; payload: Record<string, unknown> }[]> {
    const rows = await this.wallets.store.query<{ body: string }>(
      'select body from platform.event where tenant_id = $1 order by occurred_at, event_id',
      [this.tenant.id],
    );
    return rows.map(({ body }) => {
      const { event_type: type, payload } = JSON.parse(body) as {
        event_type: string;
        payload: Record<string, unknown>;
      };
      return { type, payload };
    });
  }

  /** The time of a request is over, and the sweep has seen it. */
  async expire(id: string): Promise<void> {
    await this.wallets.store.query(
      `update identity.wallet_presentation set expires_at = now() - interval '1 second' where tenant_id = $1 and status = 'pending'`,
      [this.tenant.id],
    );
    await sweep(this.wallets);
    await eventually(async () => {
      if ((await this.show(id)).body.status === 'pending') throw new Error('still pending');
    });
  }

  private call<Body>(path: string, { body, headers, key = this.tenant.apiKey }: Sent = {}) {
    return this.wallets.platform.call<Body & Record<string, unknown>>(path, {
      key,
      ...(body && { body }),
      ...(headers && { headers }),
    });
  }
}

export const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

export async function sweep({ platform }: RunningWallets): Promise<void> {
  await platform.app.get(PresentationSweep, { strict: false }).run(new AbortController().signal);
}

/** The frame of an embed session: the path of its token, and its access token. */
interface OpenedFrame {
  path: string;
  access: string;
}

/** A browser on the page of a link, or a frame that shows the page. */
export class ConsentPage {
  /** Every cookie that an answer set. */
  readonly cookies: string[] = [];
  private cookie: string | undefined;
  private nonce = '';

  constructor(
    private readonly wallets: RunningWallets,
    readonly token: string,
    private readonly frame: OpenedFrame | null = null,
  ) {}

  static framed(wallets: RunningWallets, frame: OpenedFrame): ConsentPage {
    return new ConsentPage(wallets, '', frame);
  }

  async call<Body = ConsentEnd>(
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<PageAnswer<Body>> {
    const { frame } = this;
    const place = frame === null ? `/consent/${this.token}` : `${frame.path}/consent`;
    const answer = await this.wallets.host.call<Body>(`${place}/${path}`, {
      ...(frame !== null && { token: frame.access }),
      headers: { ...(this.cookie && { cookie: this.cookie }), ...headers },
      ...(body && { body: { nonce: this.nonce, ...body } }),
    });
    const set = answer.headers.get('set-cookie');
    if (set !== null) {
      this.cookies.push(set);
      this.cookie = set.split(';')[0];
    }
    return answer;
  }

  async state(query = ''): Promise<PageAnswer<ConsentState>> {
    const answer = await this.call<ConsentState>(`state${query}`);
    if (answer.status === 200) this.nonce = answer.body.nonce;
    return answer;
  }

  /** The code that is mailed to an address. */
  async code(address: string, identifier: string | null): Promise<string> {
    await this.wallets.forgetSends();
    const before = this.wallets.mailbox.messages(address).length;
    const sent = await this.call('otp/send', identifier === null ? {} : { identifier });
    if (sent.status !== 202) throw new Error(sent.text);
    return codeIn(await this.wallets.mail(address, before));
  }

  /** Reads the state, and proves that a wallet is theirs; answers what there is to decide. */
  async stepUp(address: string, identifier: string | null = address): Promise<ConsentState> {
    await this.state();
    const answer = await this.call<ConsentState>('otp/verify', { code: await this.code(address, identifier) });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  }

  approve({ claims, consent }: ConsentState, headers: Record<string, string> = {}) {
    const { version, locale, sha256 } = consent as NonNullable<ConsentState['consent']>;
    return this.call('approve', { claims: claims.map(({ name }) => name), version, locale, sha256 }, headers);
  }

  /** What a stranger has who got hold of the link: another browser. */
  stranger(): ConsentPage {
    return new ConsentPage(this.wallets, this.token);
  }
}
