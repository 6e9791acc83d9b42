import { callConsole } from './console-host.ts';

interface IssuedToken {
  token: string;
  expires_at: string;
}

/** A token that is as near to its end is renewed before it is used. */
const RENEW_MS = 60_000;

/** The member token, in the memory of this object only; the cookie, which no script can read, renews it. */
export class MemberToken {
  private held: Promise<IssuedToken> | null = null;

  /** @throws ApiError (401: the session has ended), Unreachable */
  async current(): Promise<string> {
    const { token, expires_at } = await (this.held ??= this.issue());
    return Date.parse(expires_at) - Date.now() > RENEW_MS ? token : this.renewed();
  }

  /** Another token, where the held one was refused. @throws ApiError, Unreachable */
  async renewed(): Promise<string> {
    return (await (this.held = this.issue())).token;
  }

  private issue(): Promise<IssuedToken> {
    return callConsole<IssuedToken>('POST', '/token').catch((error: unknown) => {
      this.held = null;
      throw error;
    });
  }
}
