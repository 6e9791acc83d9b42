import { timestampRequest, timestampToken } from '@constancia/pdf-sealing';
import { Agent, request } from 'undici';

/** From the first packet to the last byte. */
const DEADLINE_MS = 10_000;
/** Tokens are a few KB. */
const LONGEST_ANSWER_BYTES = 64 * 1_024;

/** The time-stamping authority gave no usable token. It may later: the request waits, as it does for KMS. */
export class TimestampUnavailable extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(`no time-stamp: ${detail}`, options);
    this.name = 'TimestampUnavailable';
  }
}

/** A time-stamping authority over HTTP (RFC 3161, section 3.4). */
export class TimestampAuthority {
  private readonly agent = new Agent({ maxResponseSize: LONGEST_ANSWER_BYTES, connections: 16 });

  constructor(
    private readonly url: string,
    private readonly deadlineMs = DEADLINE_MS,
  ) {}

  /** A token over a SHA-256 digest, checked: status, imprint, nonce, signature. Throws TimestampUnavailable. */
  async timestamp(digest: Buffer): Promise<Buffer> {
    const query = timestampRequest(digest);
    try {
      return timestampToken(await this.post(query.der), digest, query);
    } catch (error) {
      throw error instanceof TimestampUnavailable
        ? error
        : new TimestampUnavailable((error as Error).message, { cause: error });
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  private async post(query: Buffer): Promise<Buffer> {
    const { statusCode, body } = await request(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: query,
      dispatcher: this.agent,
      signal: AbortSignal.timeout(this.deadlineMs),
    });
    const answer = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200) throw new TimestampUnavailable(`the authority answered ${statusCode}`);
    return answer;
  }
}
