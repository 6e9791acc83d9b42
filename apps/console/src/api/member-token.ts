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
    return Date.parse(expires_at) - Date.now() > RENEW_MS ? token : this.after(token);
  }

  /** The token that follows this one, which was refused or is about to end: one renewal for all who ask. @throws ApiError, Unreachable */
  async after(former: string): Promise<string> {
    const held = await (this.held ??= this.issue());
    if (held.token !== former) return held.token;
    return (await (this.held = this.issue())).token;
  }

  private issue(): Promise<IssuedToken> {
    const issued = callConsole<IssuedToken>('POST', '/token');
    issued.catch(() => {
      if (this.held === issued) this.held = null;
    });
    return issued;
  }
}
