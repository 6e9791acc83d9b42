import type { IncomingMessage } from 'node:http';
import { DependencyUnavailable, PayloadTooLarge } from '@constancia/problem-json';

/** What bounds a body: its own limit, and whether there is room for so many bytes of it; `hold` also takes the room. */
export interface BodyBounds {
  limitBytes: number;
  fits(bytes: number): boolean;
  hold(bytes: number): boolean;
}

/**
 * Reads a request body into one buffer, up to `limitBytes`, and refuses a longer one, or one that there is no room for: at once
 * when its Content-Length says so, else as soon as the bound is passed. The room for a whole body is taken with its first
 * chunk, so that who announces much and sends nothing takes none. What still arrives is read and thrown away, so that a client
 * that is busy sending gets to read the answer; see refuseEndlessBody for the end of that patience.
 */
export function collectBody(
  payload: IncomingMessage,
  { limitBytes, fits, hold }: BodyBounds,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const tooLarge = () => bodyTooLarge(limitBytes);
  const declared = Number(payload.headers['content-length'] ?? 0);
  if (declared > limitBytes || !fits(declared)) {
    payload.resume();
    return done(declared > limitBytes ? tooLarge() : noRoom());
  }
  payload.waitingForContinue?.writeContinue();
  const chunks: Buffer[] = [];
  let length = 0;
  const stop = () => {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
    payload.on('error', () => {}); // the client may still give up while we throw the rest away
  };
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    const short = length <= limitBytes;
    if (short && hold(Math.max(length, declared))) return void chunks.push(chunk);
    stop();
    chunks.length = 0;
    payload.resume();
    done(short ? noRoom() : tooLarge());
  };
  const onEnd = () => {
    stop();
    done(null, chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
  };
  const onError = (error: Error) => {
    stop();
    done(error);
  };
  payload.on('data', onData).on('end', onEnd).on('error', onError);
}

export function bodyTooLarge(limitBytes: number): PayloadTooLarge {
  return new PayloadTooLarge(`The body is larger than ${limitBytes} bytes: send a smaller one.`);
}

/** 503 and not 429: no limit of the caller's plan was passed, and the next second may do. */
function noRoom(): DependencyUnavailable {
  return new DependencyUnavailable('Too many large bodies are being received at once: send it again.', undefined, {
    'Retry-After': '1',
  });
}

/** How long a client may go on sending a body that was refused. */
const LINGER_MS = 5_000;

/** Cuts the connection of a client that, long after its answer, is still sending the body. */
export function refuseEndlessBody(request: IncomingMessage, lingerMs: number = LINGER_MS): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), lingerMs);
  timer.unref();
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  request.resume();
}
