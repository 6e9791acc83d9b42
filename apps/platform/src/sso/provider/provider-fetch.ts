import { checkTarget, dnsResolve, guardedLookup, PUBLIC_TARGETS, type TargetPolicy } from '@constancia/events';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type CustomFetchOptions } from 'openid-client';
import { Agent, request } from 'undici';
import { PlatformConfig } from '../../config.ts';

/** Of one call, from the first packet to the last byte. */
export const PROVIDER_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1_024;

/**
 * Calls of the OpenID providers that tenants name: only to public addresses (the check of webhooks, at each connection), over https, without
 * following redirects, bounded in time and size. Throws TargetRefused for what is not allowed.
 */
@Injectable()
export class ProviderFetch implements OnApplicationShutdown {
  /** Port 443 alone: the network lets the platform reach no other. */
  readonly policy: TargetPolicy;
  private readonly agent: Agent;

  constructor(config: PlatformConfig) {
    this.policy = { ...PUBLIC_TARGETS, allowLoopback: config.webhookAllowLoopback, ports: [443] };
    const lookup = guardedLookup(this.policy, dnsResolve({ timeoutMs: 2_000 }));
    this.agent = new Agent({
      connect: { lookup, timeout: PROVIDER_TIMEOUT_MS },
      headersTimeout: PROVIDER_TIMEOUT_MS,
      bodyTimeout: PROVIDER_TIMEOUT_MS,
      connections: 8,
    });
  }

  readonly fetch = async (address: string, { method, headers, body }: CustomFetchOptions): Promise<Response> => {
    const { href } = checkTarget(address, this.policy);
    const answer = await request(href, {
      method: method as 'GET' | 'POST',
      headers,
      body: body === undefined || body === null ? null : String(body),
      dispatcher: this.agent,
      signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
    });
    const type = answer.headers['content-type'];
    return new Response(await bounded(answer.body), {
      status: answer.statusCode,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    });
  };

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }
}

async function bounded(body: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
