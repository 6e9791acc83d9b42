import net from 'node:net';

/** A Postgres address that apps can be given in place of the server's own. */
export interface TenantBlindProxy {
  url: string;
  /** How many statements have lost a condition so far. */
  readonly rewritten: number;
  close(): Promise<void>;
}

/** `tenant_id = $1`, however it is qualified and quoted. */
const CONDITION = /((?:"?\b\w+"?\.)?"?\btenant_id"?)\s*=\s*(\$\d+)/g;
const [QUERY, PARSE] = [0x51, 0x50];

/** A statement without its own conditions on the tenant: what is left to keep tenants apart is row-level security. */
export function withoutTenantConditions(sql: string): string {
  return sql.replace(CONDITION, '($1 = $2 or true)'); // the parameter stays, so that its type is still known
}

/**
 * Stands between apps and PostgreSQL and takes every condition `tenant_id = $n` out of the statements that pass (frontend
 * protocol 3, without TLS). The apps are the ones that ship; only what they say to the store is made forgetful.
 */
export async function tenantBlindProxy(postgresUrl: string): Promise<TenantBlindProxy> {
  const address = new URL(postgresUrl);
  const postgresPort = Number(address.port);
  let rewritten = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(postgresPort, '127.0.0.1');
    const rewriter = new Rewriter(() => rewritten++);
    client.on('data', (chunk: Buffer) => upstream.write(rewriter.take(chunk)));
    upstream.pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address.port = String((server.address() as net.AddressInfo).port);
  return {
    url: address.toString(),
    get rewritten() {
      return rewritten;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The messages of one connection, from client to server; parts of messages wait for their rest. */
class Rewriter {
  private pending = Buffer.alloc(0);
  private started = false;

  constructor(private readonly onRewrite: () => void) {}

  /** Answers what may be sent on. */
  take(chunk: Buffer): Buffer {
    this.pending = this.pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.pending, chunk]);
    const ready: Buffer[] = [];
    for (let message = this.next(); message !== undefined; message = this.next()) ready.push(message);
    return Buffer.concat(ready);
  }

  private next(): Buffer | undefined {
    // The first message has no type byte.
    const lengthAt = this.started ? 1 : 0;
    if (this.pending.length < lengthAt + 4) return undefined;
    const end = lengthAt + this.pending.readInt32BE(lengthAt);
    if (this.pending.length < end) return undefined;
    const message = this.pending.subarray(0, end);
    this.pending = this.pending.subarray(end);
    if (!this.started) {
      this.started = true;
      return message;
    }
    return this.rewritten(message);
  }

  private rewritten(message: Buffer): Buffer {
    const type = message[0];
    if (type !== QUERY && type !== PARSE) return message;
    // Parse: the statement's name stands before its text.
    const sqlAt = type === QUERY ? 5 : message.indexOf(0, 5) + 1;
    const sqlEnd = message.indexOf(0, sqlAt);
    const sql = message.toString('utf8', sqlAt, sqlEnd);
    const changed = withoutTenantConditions(sql);
    if (changed === sql) return message;
    this.onRewrite();
    const body = Buffer.concat([message.subarray(5, sqlAt), Buffer.from(changed), message.subarray(sqlEnd)]);
    const head = Buffer.alloc(5);
    head[0] = type;
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  }
}
