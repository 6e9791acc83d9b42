import { KMSClient } from '@aws-sdk/client-kms';
import { retry } from '@constancia/kernel';
import { CallLimit } from './call-limit.ts';
import { kmsUnavailable, KmsUnavailable } from './kms-unavailable.ts';
import { pauseMs } from './retry.ts';
import { Slots } from './slots.ts';

// The SDK would tell the operator on stderr, at every start, to use a newer Node than the one that is supported here.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

export interface KmsOptions {
  region: string;
  /** Only for a development or test server. */
  endpoint?: string;
  /**
   * Requests a second of this process, retries included; the quota is per account and region (1,000 for RSA), shared by all
   * processes. A whole number; default 200.
   */
  maxPerSecond?: number;
  /** Requests in flight at a time. Default: a quarter of maxPerSecond, which an answer within 250 ms needs, but 16 to 256. */
  maxConcurrent?: number;
  /** Time for one call with its retries and its wait for a turn. Default 10 s. */
  deadlineMs?: number;
  /** Time for one attempt, from the request to the last byte of its answer. Default 3 s. */
  attemptTimeoutMs?: number;
  /** Attempts at most, of which each is one request. Default 3. */
  maxAttempts?: number;
  /** Only for tests; otherwise the SDK's own chain. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** Calls of KMS: a bounded number at a time and a second, each repeated while that is of use. What signs and what wraps keys share it. */
export class KmsCalls {
  readonly client: KMSClient;
  private readonly limit: CallLimit;
  private readonly slots: Slots;
  private readonly deadlineMs: number;
  private readonly attemptTimeoutMs: number;
  private readonly maxAttempts: number;

  constructor(options: KmsOptions) {
    this.deadlineMs = options.deadlineMs ?? 10_000;
    this.attemptTimeoutMs = options.attemptTimeoutMs ?? 3_000;
    this.maxAttempts = options.maxAttempts ?? 3;
    const perSecond = options.maxPerSecond ?? 200;
    const concurrent = options.maxConcurrent ?? Math.min(Math.max(Math.ceil(perSecond / 4), 16), 256);
    this.limit = new CallLimit(perSecond);
    this.slots = new Slots(concurrent);
    const agent = { keepAlive: true, maxSockets: concurrent };
    this.client = new KMSClient({
      region: options.region,
      ...(options.endpoint ? { endpoint: options.endpoint } : {}),
      ...(options.credentials ? { credentials: options.credentials } : {}),
      maxAttempts: 1, // repeated here: the SDK would repeat a request without asking the limit
      requestHandler: { connectionTimeout: 2_000, httpAgent: agent, httpsAgent: agent },
    });
  }

  /** Requests sent to KMS so far, retries included. */
  get requests(): number {
    return this.limit.calls;
  }

  close(): void {
    this.client.destroy();
  }

  /** Throws KmsUnavailable when another attempt is of no use, or the last one or the time is used up. */
  async call<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const endsAt = performance.now() + this.deadlineMs;
    let hadTurn = false;
    const attemptOnce = async () => {
      hadTurn = false;
      await this.takeTurn(endsAt);
      hadTurn = true;
      try {
        return await withinTime(Math.min(this.attemptTimeoutMs, endsAt - performance.now()), send);
      } catch (error) {
        throw kmsUnavailable(error);
      } finally {
        this.limit.end();
        this.slots.giveBack();
      }
    };
    return retry(attemptOnce, {
      pauseMs: (error, attempt) => {
        const { retryable, reason } = error as KmsUnavailable;
        const pause = pauseMs(attempt, reason);
        const isUseful = hadTurn && retryable && attempt < this.maxAttempts && performance.now() + pause < endsAt;
        return isUseful ? pause : null;
      },
    });
  }

  /** Waits for a slot and then for a turn, which must be used at once: turns saved up would exceed the limit together. */
  private async takeTurn(endsAt: number): Promise<void> {
    if (!(await this.slots.take(endsAt - performance.now())))
      throw new KmsUnavailable('throttled', 'too many calls in flight');
    if (await this.limit.take(endsAt - performance.now())) return;
    this.slots.giveBack();
    throw new KmsUnavailable('throttled', 'our own limit of calls');
  }
}

/** Aborts what takes longer. Throws KmsUnavailable `timeout`, whatever the aborted work throws. */
async function withinTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), Math.max(ms, 1));
  try {
    return await work(abort.signal);
  } catch (error) {
    throw abort.signal.aborted ? new KmsUnavailable('timeout', 'no answer in time', { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}
