import type { Reply } from '../request/request-state.ts';

const NOBODY = "frame-ancestors 'none'";

/** Lets pages of exactly these origins show the answer in a frame: X-Frame-Options knows no list of origins, so it is left out. */
export function allowFraming(
  reply: Pick<Reply, 'getHeader' | 'header' | 'removeHeader'>,
  origins: readonly string[],
): void {
  const policy = String(reply.getHeader('content-security-policy'));
  if (origins.length === 0 || !policy.includes(NOBODY))
    throw new Error('the answer has no policy that names frame-ancestors');
  reply.header('content-security-policy', policy.replace(NOBODY, `frame-ancestors ${origins.join(' ')}`));
  reply.removeHeader('x-frame-options');
}
