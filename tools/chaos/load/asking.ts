import { sleep } from '@constancia/kernel';
import { type CheckedFetch, ContractViolation } from '@constancia/testing';
import { PageRefused } from '../../e2e/openid/person-browser.fixture.ts';
import type { Call, Journal } from '../../oracle/journal.ts';

/** A tenant as its clients know it. */
export interface Customer {
  tenantId: string;
  apiKey: string;
  webhookSecret: string;
  templateId: string;
  circuitId: string;
}

export interface Request {
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  headers: Record<string, string>;
  body?: unknown;
  timeoutMs?: number;
}

/** An answer, or why there is none. */
export interface Answer {
  /** null: no answer came. */
  status: number | null;
  body: Record<string, unknown>;
  retryAfterMs: number;
}

/** Statuses after which nobody knows, or nothing was done, and the same request may be sent again. */
const AGAIN = new Set([408, 409, 429, 500, 502, 503, 504]);
/** The same of what a state machine refuses for good: a conflict ends it. */
const LATER = new Set([408, 429, 500, 502, 503, 504]);

/** What the clients of a round have in common. */
export class Asking {
  private refs = 0;

  constructor(
    private readonly http: CheckedFetch,
    private readonly journal: Journal,
    private readonly round: string,
    /** No client goes on beyond it. */
    public giveUpAt: number,
  ) {}

  /** A reference that nothing else has. */
  nextRef(): string {
    return `${this.round}-${++this.refs}`;
  }

  /** Sends one request once. What breaks the contract is noted, and counts as no answer. */
  once(request: Request): Promise<Answer> {
    return this.answered(request.url, () =>
      this.http(request.url, {
        method: request.method ?? 'POST',
        headers: { ...(request.body !== undefined && { 'Content-Type': 'application/json' }), ...request.headers },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal: AbortSignal.timeout(request.timeoutMs ?? 10_000),
      }),
    );
  }

  /** The same of a request that is made elsewhere. */
  async answered(what: string, send: () => Promise<Response>): Promise<Answer> {
    try {
      const response = await send();
      const text = await response.text();
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      if (response.status === 500) this.journal.surprises.push(`answered 500: ${what} ${text.slice(0, 300)}`);
      return { status: response.status, body, retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1_000 };
    } catch (error) {
      if (error instanceof ContractViolation) this.journal.surprises.push(`not as documented: ${error.message}`);
      return { status: null, body: {}, retryAfterMs: 0 };
    }
  }

  /** Sends a request until it has a final answer, as a careful client does; null when there was none by giveUpAt. */
  persistently(request: Request): Promise<Answer | null> {
    return this.until(AGAIN, () => this.once(request));
  }

  /** The same of a request that changes a state: a conflict is final. */
  change(request: Request): Promise<Answer | null> {
    return this.until(LATER, () => this.once(request));
  }

  /** The same of what the script of a page asks (PersonBrowser). */
  onPage<Body>(ask: () => Promise<Body>): Promise<(Omit<Answer, 'body'> & { body: Body }) | null> {
    return this.until(LATER, async () => {
      try {
        return { status: 200, body: await ask(), retryAfterMs: 0 };
      } catch (error) {
        const status = error instanceof PageRefused ? error.status : null;
        if (status === 500) this.journal.surprises.push(`answered 500: ${(error as Error).message.slice(0, 300)}`);
        return { status, body: {} as Body, retryAfterMs: 0 };
      }
    });
  }

  private async until<Got extends Pick<Answer, 'status' | 'retryAfterMs'>>(
    again: ReadonlySet<number>,
    ask: () => Promise<Got>,
  ): Promise<Got | null> {
    for (let sent = 1; Date.now() < this.giveUpAt; sent++) {
      const answer = await ask();
      if (answer.status !== null && !again.has(answer.status)) return answer;
      await sleep(Math.min(1_000, Math.max(answer.retryAfterMs, 50 * sent)));
    }
    return null;
  }

  /**
   * Creates something under one Idempotency-Key and notes what was answered. One acknowledgement in eight counts as lost on the way:
   * the client asks again with the same key, and must get the same answer.
   */
  async create(
    kind: Call['kind'],
    customer: Pick<Customer, 'tenantId' | 'apiKey'>,
    ref: string,
    request: Omit<Request, 'headers'>,
  ): Promise<Record<string, unknown> | null> {
    const key = crypto.randomUUID();
    const { tenantId, apiKey } = customer;
    const call: Call = { kind, ref, key, tenantId, apiKey, outcome: 'unanswered', ids: [], sent: 0 };
    this.journal.calls.push(call);
    let acknowledged: Record<string, unknown> | null = null;
    let again = this.journal.calls.length % 8 === 0;
    while (Date.now() < this.giveUpAt) {
      call.sent += 1;
      const answer = await this.once({ ...request, headers: { 'X-API-Key': apiKey, 'Idempotency-Key': key } });
      if (answer.status !== null && answer.status < 300) {
        const id = String(answer.body.id);
        if (!call.ids.includes(id)) call.ids.push(id);
        Object.assign(call, { outcome: 'acknowledged', status: answer.status });
        acknowledged = answer.body;
        if (!again) return acknowledged;
        again = false;
        continue;
      }
      if (answer.status !== null && !AGAIN.has(answer.status)) {
        if (!acknowledged) Object.assign(call, { outcome: 'refused', status: answer.status });
        else this.journal.surprises.push(`acknowledged, then refused with ${answer.status}: ${kind} ${ref}`);
        return acknowledged;
      }
      await sleep(Math.min(1_000, Math.max(answer.retryAfterMs, 50 * call.sent)));
    }
    return acknowledged;
  }
}
