import type { ConsentEnd, ConsentState } from '@constancia/contracts';
import { sleep } from '@constancia/kernel';
import { PersonBrowser } from '../../e2e/openid/person-browser.fixture.ts';
import type { Journal, Statement } from '../../oracle/journal.ts';
import type { Random } from '../random.ts';
import type { Stage } from '../stage.ts';
import type { Asking, Customer } from './asking.ts';

/** What somebody does about a request, with how many in a hundred. */
const ANSWERS = [
  ['approve', 45],
  ['approve at three tabs at once', 15],
  ['approve while the tenant cancels', 10],
  ['decline and tell', 8],
  ['decline', 8],
  ['cancel', 6],
  ['nothing', 8],
] as const;
type Answer = (typeof ANSWERS)[number][0];

/** A link has five codes. */
const CODES = 4;
const PAUSE_MS = 150;

interface Requested {
  id: string;
  consent_url: string;
}

/** Asks a person for what they keep, who answers on the page of the link, or does not. */
export async function reuse(
  asking: Asking,
  journal: Journal,
  { stack }: Stage,
  customer: Customer,
  email: string,
  random: Random,
): Promise<void> {
  const request = await requested(asking, stack.baseUrl, customer);
  if (!request) return;
  const visit = new Visit(asking, journal, request, new PersonBrowser(stack, email));
  const cancel = async () => visit.note('cancelled', await cancelled(asking, stack.baseUrl, customer, request));
  const does = drawn(random);
  if (does === 'nothing') return;
  if (does === 'cancel') return cancel();
  if (does === 'decline') return visit.decline({ tell_tenant: false });
  const state = await visit.prove();
  if (state === null) return;
  if (does === 'decline and tell') return visit.decline({ tell_tenant: true });
  const tabs = does === 'approve at three tabs at once' ? 3 : 1;
  const answers = [...Array.from({ length: tabs }, () => visit.approve(state))];
  if (does === 'approve while the tenant cancels') answers.push(sleep(random.between(0, PAUSE_MS)).then(cancel));
  await Promise.all(answers);
  await received(asking, journal, stack.baseUrl, customer, request.id);
}

/** A tenant asks, and takes it back: nobody is there to answer. */
export async function unansweredRequest(asking: Asking, { stack }: Stage, customer: Customer): Promise<void> {
  const request = await requested(asking, stack.baseUrl, customer);
  if (request) await cancelled(asking, stack.baseUrl, customer, request);
}

async function requested(asking: Asking, baseUrl: string, customer: Customer): Promise<Requested | null> {
  const ref = asking.nextRef();
  const who = { wallet_hint: 'qr', channel: 'redirect', external_ref: ref };
  return (await asking.create('presentation', customer, ref, {
    url: `${baseUrl}/v1/wallet/request-presentation`,
    body: { ...who, purpose: 'Abrir su cuenta', claims: ['full_name', 'birth_date'] },
  })) as unknown as Requested | null;
}

async function cancelled(asking: Asking, baseUrl: string, { apiKey }: Customer, { id }: Requested) {
  const url = `${baseUrl}/v1/wallet/presentations/${id}/cancel`;
  return asking.change({ url, headers: { 'X-API-Key': apiKey } });
}

/** What was given is there for the tenant, and the subject that it made. */
async function received(asking: Asking, journal: Journal, baseUrl: string, { apiKey }: Customer, id: string) {
  const read = (path: string) =>
    asking.persistently({ url: `${baseUrl}${path}`, method: 'GET', headers: { 'X-API-Key': apiKey } });
  const shown = (await read(`/v1/wallet/presentations/${id}`))?.body;
  if (shown?.status !== 'approved') return;
  const subject = await read(`/v1/kyc/subjects/${String(shown.subject_id)}`);
  const missing = (shown.claims as { full_name?: string } | null)?.full_name === undefined;
  if (missing || (subject !== null && subject.body.kyc_status !== 'approved'))
    journal.surprises.push(`approved, and not there: ${id} ${JSON.stringify([shown, subject])}`.slice(0, 600));
}

/** A person's browser at the link of a request. */
class Visit {
  private nonce = '';

  constructor(
    private readonly asking: Asking,
    private readonly journal: Journal,
    private readonly request: Requested,
    private readonly browser: PersonBrowser,
  ) {}

  /** Proves with a mailed code that the wallet is theirs; what there is to decide, or null. */
  async prove(): Promise<ConsentState | null> {
    if (!(await this.read())) return null;
    for (let code = 0; code < CODES; code++) {
      const proved = await this.asking.onPage(async () => {
        const { code } = await this.browser.mailedCode(this.at('otp/send'), { nonce: this.nonce });
        return this.browser.call<ConsentState>(this.at('otp/verify'), { nonce: this.nonce, code });
      });
      if (proved?.status === 200) return proved.body;
      if (proved?.status !== 422) return null; // the code of an earlier mail: another one is asked for
    }
    return null;
  }

  async approve({ claims, consent }: ConsentState): Promise<void> {
    if (consent === null) return void this.journal.surprises.push(`there is nothing to agree to: ${this.request.id}`);
    const { version, locale, sha256 } = consent;
    await this.end('approve', { claims: claims.map(({ name }) => name), version, locale, sha256 }, 'approved');
  }

  /** Without telling, the tenant sees a request whose time is over. */
  async decline(how: { tell_tenant: boolean }): Promise<void> {
    if (this.nonce === '' && !(await this.read())) return;
    await this.end('decline', how, how.tell_tenant ? 'declined' : 'expired');
  }

  /** A promise, if it was answered with 200. */
  note(status: string, answer: { status: number | null } | null): void {
    const statement: Statement = { kind: 'request answered', id: this.request.id, status };
    if (answer?.status === 200) this.journal.statements.push(statement);
  }

  private async end(path: string, body: object, status: string): Promise<void> {
    const sent = { nonce: this.nonce, ...body };
    this.note(status, await this.asking.onPage(() => this.browser.call<ConsentEnd>(this.at(path), sent)));
  }

  private async read(): Promise<boolean> {
    const shown = await this.asking.onPage(() => this.browser.call<ConsentState>(this.at('state?locale=en')));
    if (shown?.status !== 200) return false;
    this.nonce = shown.body.nonce;
    return true;
  }

  private at(path: string): string {
    return `${this.request.consent_url}/${path}`;
  }
}

function drawn(random: Random): Answer {
  let left = random.next() * 100;
  for (const [answer, share] of ANSWERS) {
    left -= share;
    if (left < 0) return answer;
  }
  return 'nothing';
}
