import { checkTarget, dnsResolve, guardedLookup, type TargetPolicy } from '@constancia/events';
import type { FetchEvidence } from '@constancia/pdf-sealing';
import { Agent, request } from 'undici';

const DEADLINE_MS = 10_000;
/** Revocation lists of large authorities have some MB; they stay in the document. */
const LONGEST_ANSWER_BYTES = 4 * 1024 * 1024;
const PORTS = [80, 443, 8080, 8443];

/** Fetches from the addresses in certificates: public ones only, bounded in size and time, redirects not followed. */
export class EvidenceAddresses {
  private readonly policy: TargetPolicy;
  private readonly agent: Agent;

  constructor({ allowLoopback }: { allowLoopback: boolean }) {
    this.policy = { allowLoopback, ports: PORTS, plainHttp: true };
    const lookup = guardedLookup(this.policy, dnsResolve());
    this.agent = new Agent({ maxResponseSize: LONGEST_ANSWER_BYTES, connections: 8, connect: { lookup } });
  }

  /** Throws TargetRefused, and the error of a failed connection. */
  readonly fetch: FetchEvidence = async (address, post) => {
    const url = checkTarget(address, this.policy);
    const { statusCode, body } = await request(url, {
      method: post ? 'POST' : 'GET',
      ...(post && { headers: { 'content-type': post.type }, body: post.body }),
      dispatcher: this.agent,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const answer = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200) throw new Error(`${url.host} answered ${statusCode}`);
    return answer;
  };

  close(): Promise<void> {
    return this.agent.destroy();
  }
}
