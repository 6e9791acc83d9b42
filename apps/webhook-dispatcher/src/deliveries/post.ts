import type { IncomingHttpHeaders } from 'node:http';
import { checkTarget, guardedLookup } from '@constancia/events';
import type { Resolve, TargetPolicy } from '@constancia/events';
import { LRUCache } from 'lru-cache';
import { Agent, type Dispatcher } from 'undici';
import { failureOf, type AttemptError } from './attempt-error.ts';

/** From the first packet to the last byte that is read. */
const TIMEOUT_MS = 10_000;
/** What is kept of an answer, in bytes. The rest is not read. */
const EXCERPT_BYTES = 16 * 1_024;

/** What came of one POST: an answer, or the reason why there is none. */
export interface Posted {
  at: Date;
  durationMs: number;
  firstByteMs: number | null;
  httpStatus: number | null;
  retryAfter: string | null;
  excerpt: string | null;
  error: AttemptError | null;
}

/**
 * Sends webhooks: keep-alive connections per origin, a total deadline, no redirects, no decompression, no more of the answer
 * than is kept, and no address that the policy does not allow.
 */
export class Poster {
  private readonly agent: Agent;
  /** URLs that passed the check: it depends on the text and the policy alone. Names are checked at each connection. */
  private readonly targets = new LRUCache<string, { origin: string; path: string }>({ max: 20_000 });

  constructor(
    private readonly policy: TargetPolicy,
    resolve: Resolve,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    this.agent = new Agent({
      connect: { lookup: guardedLookup(policy, resolve), timeout: timeoutMs },
      // As many connections as there are requests: the lanes bound those, and tenants may share a host.
      pipelining: 1,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 30_000,
      // The deadline below covers the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends one body. Always resolves. */
  post(target: string, headers: Record<string, string>, body: Buffer): Promise<Posted> {
    return new Promise((resolve) => {
      const exchange = new Exchange(resolve, this.timeoutMs);
      try {
        this.agent.dispatch({ ...this.targetOf(target), method: 'POST', headers, body }, exchange);
      } catch (error) {
        exchange.onResponseError(null, error as Error);
      }
    });
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private targetOf(target: string): { origin: string; path: string } {
    let checked = this.targets.get(target);
    if (checked === undefined) {
      const url = checkTarget(target, this.policy);
      checked = { origin: url.origin, path: `${url.pathname}${url.search}` };
      this.targets.set(target, checked);
    }
    return checked;
  }
}

/** One request on its way: collects what comes back until it ends, is cut off or runs out of time. */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly at = new Date();
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | undefined;
  private chunks: Buffer[] = [];
  private size = 0;
  private httpStatus: number | null = null;
  private retryAfter: string | null = null;
  private firstByteMs: number | null = null;
  private over = false;

  constructor(
    private readonly resolve: (posted: Posted) => void,
    timeoutMs: number,
  ) {
    this.timer = setTimeout(() => this.cutOff(timedOut(timeoutMs)), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Out of time while connecting: what was reported as failed must not be sent after all.
    if (this.over) controller.abort(new Error('out of time'));
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.firstByteMs = this.elapsedMs();
    this.httpStatus = statusCode;
    const retryAfter = headers['retry-after'] as string | string[] | undefined;
    this.retryAfter = (Array.isArray(retryAfter) ? retryAfter[0] : retryAfter) ?? null;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = EXCERPT_BYTES - this.size;
    this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.size += chunk.length;
    if (this.size > EXCERPT_BYTES) this.cutOff(null);
  }

  onResponseEnd(): void {
    this.finish(null);
  }

  onResponseError(_: unknown, error: Error): void {
    this.finish(failureOf(error));
  }

  private cutOff(error: AttemptError | null): void {
    this.finish(error);
    this.controller?.abort(new Error('cut off'));
  }

  private finish(error: AttemptError | null): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    this.resolve(this.posted(error));
  }

  private posted(error: AttemptError | null): Posted {
    return {
      at: this.at,
      durationMs: this.elapsedMs(),
      firstByteMs: this.firstByteMs,
      httpStatus: this.httpStatus,
      retryAfter: this.retryAfter,
      excerpt: this.size === 0 ? null : excerptOf(this.chunks),
      // Once there is a status, the receiver has answered, however the rest of its body fares.
      error: this.httpStatus === null ? error : null,
    };
  }

  private elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }
}

/** Text for people: what is no UTF-8 and what Postgres cannot keep (NUL) becomes "?", so that it does not grow. */
function excerptOf(chunks: Buffer[]): string {
  return Buffer.concat(chunks)
    .toString('utf8')
    .replaceAll(/[\u0000\uFFFD]/g, '?');
}

function timedOut(timeoutMs: number): AttemptError {
  return { code: 'timeout', detail: `No complete answer within ${timeoutMs / 1_000} s.` };
}
