import { backoffMs, retry } from '@constancia/kernel';
import { PaymentProviderUnavailable } from '@constancia/problem-json';
import { Metrics } from '@constancia/telemetry';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { PlatformConfig } from '../../config.ts';

interface ProviderCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: object;
  /** Given with a POST that the provider does once per key. */
  key?: string;
  /** Statuses beside 2xx that are answers, too. */
  allowed?: number[];
}

interface ProviderAnswer {
  status: number;
  body: unknown;
}

const MAX_ANSWER_BYTES = 1024 * 1024;
const ATTEMPTS = 3;
const PAUSES = { firstMs: 200, longestMs: 2_000, jitter: 0.5 };

/** The provider answered with a status that says "not now". */
class NotNow extends Error {}

/** Calls of the payment provider: bounded in time and size, repeated when that is harmless, counted. */
@Injectable()
export class ProviderHttp implements OnApplicationShutdown {
  private readonly agent: Agent;
  private readonly calls;

  constructor(
    private readonly config: PlatformConfig,
    metrics: Metrics,
  ) {
    const timeout = config.paymentTimeoutMs;
    this.agent = new Agent({ connect: { timeout }, headersTimeout: timeout, bodyTimeout: timeout, connections: 16 });
    this.calls = metrics.counter('payment_provider_calls_total', 'Calls of the payment provider', [
      'method',
      'outcome',
    ]);
  }

  /** Throws PaymentProviderUnavailable for anything but 2xx and the allowed statuses. */
  async call(wanted: ProviderCall): Promise<ProviderAnswer> {
    const repeatable = wanted.method === 'GET' || wanted.key !== undefined;
    try {
      return await retry(() => this.once(wanted), {
        pauseMs: (error, attempt) =>
          repeatable && attempt < ATTEMPTS && !(error instanceof PaymentProviderUnavailable)
            ? backoffMs(attempt, PAUSES)
            : null,
      });
    } catch (error) {
      if (error instanceof PaymentProviderUnavailable) throw error;
      throw new PaymentProviderUnavailable(undefined, {}, {}, error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private async once({ method, url, headers, body, allowed = [] }: ProviderCall): Promise<ProviderAnswer> {
    try {
      const answer = await request(url, {
        method,
        headers: {
          accept: 'application/json',
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        dispatcher: this.agent,
        signal: AbortSignal.timeout(this.config.paymentTimeoutMs),
      });
      const text = await bounded(answer.body);
      const { statusCode: status } = answer;
      if (status === 429 || status >= 500) throw new NotNow(`the payment provider answered ${status}`);
      if ((status < 200 || status > 299) && !allowed.includes(status)) {
        throw new PaymentProviderUnavailable(undefined, {}, {}, new Error(`the payment provider answered ${status}`));
      }
      this.calls.inc({ method, outcome: 'answered' });
      return { status, body: status >= 200 && status <= 299 ? JSON.parse(text) : null };
    } catch (error) {
      this.calls.inc({ method, outcome: error instanceof PaymentProviderUnavailable ? 'refused' : 'failed' });
      throw error;
    }
  }
}

async function bounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
