import net from 'node:net';
import { sleep } from '@constancia/kernel';

/** pass; cut: connections are reset and refused; mute: taken and never answered; delayMs: each piece comes that much later. */
export type Weather = 'pass' | 'cut' | 'mute' | { delayMs: number };

/** Stands between a client and a server on loopback, and does to their connections what a network can do. */
export class TcpProxy {
  private weather: Weather = 'pass';
  private readonly sockets = new Set<net.Socket>();

  private constructor(
    private readonly server: net.Server,
    private target: { host: string; port: number },
  ) {}

  static async before(url: string): Promise<TcpProxy> {
    const server = net.createServer();
    const proxy = new TcpProxy(server, addressOf(url));
    server.on('connection', (socket) => proxy.accept(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The same address, by way of this proxy. */
  via(url: string): string {
    const rewritten = new URL(url);
    rewritten.hostname = '127.0.0.1';
    rewritten.port = String((this.server.address() as net.AddressInfo).port);
    return rewritten.href.replace(/\/$/, '');
  }

  /** Leads to another server from now on, as a name does that is given to a standby. */
  pointAt(url: string): void {
    this.target = addressOf(url);
    this.resetAll();
  }

  set(weather: Weather): void {
    this.weather = weather;
    if (weather === 'cut') this.resetAll();
  }

  /** What was muted is of no use to anybody any more: it is reset. */
  heal(): void {
    const was = this.weather;
    this.weather = 'pass';
    if (was === 'mute') this.resetAll();
  }

  close(): Promise<void> {
    this.resetAll();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private resetAll(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  private accept(client: net.Socket): void {
    if (this.weather === 'cut') return void client.resetAndDestroy();
    const upstream = net.connect(this.target);
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => this.sockets.delete(socket));
    }
    this.pipe(client, upstream);
    this.pipe(upstream, client);
  }

  private pipe(from: net.Socket, to: net.Socket): void {
    let sent = Promise.resolve();
    from.on('data', (piece) => {
      if (this.weather === 'mute') return;
      const due = Date.now() + (typeof this.weather === 'object' ? this.weather.delayMs : 0);
      sent = sent.then(async () => {
        if (due > Date.now()) await sleep(due - Date.now());
        if (!to.destroyed) to.write(piece);
      });
    });
    from.on('end', () => void sent.then(() => to.end()));
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => void sent.then(() => to.destroy()));
  }
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
