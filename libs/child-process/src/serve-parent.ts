import net from 'node:net';
import { FrameReader, frameOf } from './frames.ts';
import type { Frame } from './frames.ts';
import { watchParent } from './watch-parent.ts';

const READ_BYTES = 256 * 1024;

/** What a child answers to one question. */
export interface ChildAnswer {
  head: unknown;
  bytes?: Uint8Array;
}

/**
 * Makes this process the child of a FramedChild: prints nothing (libraries may print what they find), ends with its parent, and
 * answers each question that descriptor 3 brings. `ready` is the first message, sent at once. `answer` must not throw.
 */
export function serveParent(ready: unknown, answer: (question: Frame) => Promise<ChildAnswer>): void {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) console[method] = () => undefined;
  watchParent();
  // Ctrl-C and the like reach the whole group; what is in progress is finished, and the parent says when it is over.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

  const send = ({ head, bytes }: ChildAnswer) => {
    for (const part of frameOf(head, bytes ? [bytes] : [])) socket.write(part);
  };
  const reader = new FrameReader((question) => void answer(question).then(send));
  // Every read goes to the same place: chunks of their own would be held until they are collected, as much again as the file.
  const onread: net.OnReadOpts = {
    buffer: Buffer.alloc(READ_BYTES),
    callback: (read, buffer) => reader.push(Buffer.from(buffer.buffer, buffer.byteOffset, read)),
  };
  const socket = new net.Socket({ fd: 3, readable: true, writable: true, onread } as net.SocketConstructorOpts);
  socket.on('error', () => process.exit(0));
  socket.on('close', () => process.exit(0));
  send({ head: ready });
}
