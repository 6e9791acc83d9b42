import type { IncomingMessage } from 'node:http';
import { BadRequest, RateLimitExceeded, Unauthorized } from '@constancia/problem-json';
import type { Operator, OpsCaller, OpsPort } from '@constancia/telemetry';
import { WrongTokens } from './wrong-tokens.ts';

/** Who may use the operators' API of one ops port. Wrong tokens are answered with growing delays, counted and logged. */
export class OpsAccess {
  private readonly wrong = new WrongTokens();

  constructor(private readonly port: OpsPort) {}

  get module(): string | undefined {
    return this.port.module;
  }

  /** The holder of the request's token. Throws Unauthorized; RateLimitExceeded while too many wrong ones wait. */
  async authenticate(request: IncomingMessage): Promise<Operator> {
    const address = request.socket.remoteAddress ?? '';
    if (this.wrong.isBlocked(address)) {
      const detail = 'Too many wrong tokens from this address: wait three seconds.';
      throw new RateLimitExceeded(detail, {}, { 'Retry-After': '3' });
    }
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const operator = token === undefined ? undefined : this.port.operators.find(token);
    if (operator) return operator;
    if (token !== undefined) await this.slowDown(address, request);
    throw new Unauthorized('Give your operator’s token in Authorization: Bearer.');
  }

  /** The operator as the audit log names it. X-Operator counts only where names are trusted; throws BadRequest when it is no name. */
  callerOf({ name, isPerson, roles }: Operator, named: string | string[] | undefined): OpsCaller {
    return { name: isPerson || !this.port.trustsNames ? name : givenName(named), isPerson, roles };
  }

  private async slowDown(address: string, request: IncomingMessage): Promise<void> {
    const { wrongTokens, logger } = this.port;
    wrongTokens.inc();
    const count = await this.wrong.slowDown(address);
    const [route] = (request.url ?? '').split('?', 1);
    logger?.warn?.({ ops_address: address, count, route }, 'a wrong token on the ops port');
  }
}

/** Without a name it is "operator"; a name that cannot be kept is refused, not replaced. */
function givenName(named: string | string[] | undefined): string {
  if (named === undefined || named === '') return 'operator';
  if (typeof named === 'string' && /^[\x20-\x7e]{1,128}$/.test(named)) return named;
  throw new BadRequest('X-Operator must be a name of 1 to 128 letters, digits and signs of ASCII.');
}
