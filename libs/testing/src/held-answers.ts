import { EventEmitter, once } from 'node:events';
import net from 'node:net';

/** A Postgres address behind which the server's answers can be held back and come in one piece, as they do to a busy process. */
export interface HeldAnswers {
  url: string;
  /** From the next completed answer on, nothing reaches the client. `answered` resolves when there is one, `over` when the server hung up after it. */
  hold(): { answered: Promise<unknown>; over: Promise<unknown> };
  /** What was held comes, all in one piece. */
  letGo(): void;
  close(): Promise<void>;
}

/** The server's "ready for query", but for its last byte, the state of the transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);
const completes = (piece: Buffer): boolean => piece.subarray(-6, -1).equals(READY);

export async function heldAnswers(postgresUrl: string): Promise<HeldAnswers> {
  const address = new URL(postgresUrl);
  const port = Number(address.port);
  const signals = new EventEmitter();
  const kept = new Map<net.Socket, Buffer[]>();
  const sockets = new Set<net.Socket>();
  let holding = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1');
    sockets.add(client).add(upstream);
    client.on('error', () => upstream.destroy());
    client.pipe(upstream).on('error', () => client.destroy());
    upstream.on('data', (piece: Buffer) => {
      if (holding && completes(piece) && !kept.has(client)) kept.set(client, []);
      const pieces = kept.get(client);
      if (!pieces) return void client.write(piece);
      pieces.push(piece);
      signals.emit('answered');
    });
    upstream.on('end', () => (kept.has(client) ? signals.emit('over') : client.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address.port = String((server.address() as net.AddressInfo).port);
  return {
    url: address.toString(),
    hold() {
      holding = true;
      return { answered: once(signals, 'answered'), over: once(signals, 'over') };
    },
    letGo() {
      holding = false;
      for (const [client, pieces] of kept) client.end(Buffer.concat(pieces));
      kept.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
