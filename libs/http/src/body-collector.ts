import type { IncomingMessage, ServerResponse } from 'node:http';
import { PayloadTooLarge } from '@constancia/problem-json';

const asking = new WeakMap<IncomingMessage, ServerResponse>();

/** A client asked first (Expect: 100-continue): it is told to go on only when its body is really going to be read. */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  asking.set(request, response);
}

/**
 * Reads a request body into one buffer, up to `limitBytes`, and refuses a longer one: at once when its Content-Length says so,
 * else as soon as the limit is passed. What still arrives is read and thrown away, so that a client that is busy sending gets to
 * read the answer; see refuseEndlessBody for the end of that patience.
 */
export function collectBody(
  payload: IncomingMessage,
  limitBytes: number,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const tooLarge = () => new PayloadTooLarge(`The body is larger than ${limitBytes} bytes: send a smaller one.`);
  const declared = Number(payload.headers['content-length']);
  if (declared > limitBytes) {
    payload.resume();
    return done(tooLarge());
  }
  asking.get(payload)?.writeContinue();
  const chunks: Buffer[] = [];
  let length = 0;
  const stop = () => {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
    payload.on('error', () => {}); // the client may still give up while we throw the rest away
  };
  const onData = (chunk: Buffer) => {
    length += chunk.length;
    if (length <= limitBytes) return void chunks.push(chunk);
    stop();
    payload.resume();
    done(tooLarge());
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

/** How long a client may go on sending a body that was refused. */
export const LINGER_MS = 5_000;

/** Cuts the connection of a client that, long after its answer, is still sending the body. */
export function refuseEndlessBody(request: IncomingMessage, lingerMs: number = LINGER_MS): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), lingerMs);
  timer.unref();
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  request.resume();
}
