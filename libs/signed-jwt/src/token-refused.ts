/** What can be wrong with any signed token. */
export type JwtRefusal =
  | 'malformed'
  | 'too_large'
  | 'algorithm'
  | 'type'
  | 'header'
  | 'key'
  | 'signature'
  | 'expired'
  | 'not_yet_valid'
  | 'issued_at';

/**
 * A token that is not accepted. `reason` is for the program, the message for the log: it names what is wrong and holds nothing of
 * the token's content.
 */
export class TokenRefused<Reason extends string = string> extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TokenRefused';
  }
}

export const refused = (reason: JwtRefusal, message: string, cause?: unknown): TokenRefused<JwtRefusal> =>
  new TokenRefused(reason, message, cause);
