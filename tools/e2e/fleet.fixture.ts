import net from 'node:net';
import {
  type AppName,
  APPS,
  type AppProcess,
  type ProcessOptions,
  type StackOptions,
  type TestStack,
} from '@constancia/testing';
import { startDeployment } from './deployment.fixture.ts';

/** How often a copy is asked whether it wants requests; Kubernetes asks every 5 s and gives it as much more time to leave. */
const PROBE_MS = 100;

/** How a copy left. */
export interface Leave {
  code: number | null;
  ms: number;
}

interface Copy {
  app: AppProcess;
  ready: boolean;
}

/**
 * A deployment of several copies per app. Each public address of the stack is a Service as in Kubernetes: every new connection
 * goes to the next copy that says it is ready (to any when none does, as load balancers do), and stays with it. Nothing is repeated: what a copy fails, the client sees.
 */
export class Fleet {
  private readonly copies = new Map<AppName, Copy[]>(APPS.map((name) => [name, []]));
  private readonly services: net.Server[] = [];
  private readonly sockets = new Set<net.Socket>();
  private readonly probes: Promise<void>[] = [];
  private probing = true;

  private constructor(readonly stack: TestStack) {}

  static async start(options: Partial<StackOptions> = {}): Promise<Fleet> {
    const fleet = new Fleet(await startDeployment({ ...options, apps: [] }));
    const { baseUrl, complianceUrl, signingUrl, signUrl, consoleUrl, personUrl } = fleet.stack;
    await fleet.service(baseUrl, 'platform', 'PORT');
    await fleet.service(complianceUrl, 'compliance', 'PORT');
    await fleet.service(signingUrl, 'signing', 'PORT');
    await fleet.service(signUrl, 'signing', 'SIGN_PORT');
    await fleet.service(consoleUrl, 'platform', 'CONSOLE_PORT');
    await fleet.service(personUrl, 'platform', 'PERSON_PORT');
    return fleet;
  }

  /** Starts a copy of each of these apps, all at once, and waits until they are ready. */
  async add(names: readonly AppName[], options?: ProcessOptions): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const app = await this.stack.another(name, options);
        await app.start();
        const copy = { app, ready: true };
        this.of(name).push(copy);
        this.probes.push(this.probe(name, copy));
      }),
    );
  }

  /** Sends SIGTERM to the oldest copy of an app and waits until it is gone. It gets connections until it says it is not ready. */
  async retire(name: AppName): Promise<Leave> {
    const [copy] = this.of(name) as [Copy];
    const started = Date.now();
    const code = await copy.app.end('SIGTERM');
    this.of(name).splice(this.of(name).indexOf(copy), 1);
    return { code, ms: Date.now() - started };
  }

  /** The processes of an app, oldest first. */
  running(name: AppName): AppProcess[] {
    return this.of(name).map(({ app }) => app);
  }

  async close(): Promise<void> {
    this.probing = false;
    await Promise.all(this.probes);
    for (const socket of this.sockets) socket.destroy();
    for (const service of this.services) service.close();
    await this.stack.close();
  }

  private of(name: AppName): Copy[] {
    return this.copies.get(name) as Copy[];
  }

  /** Asks a copy until it is gone, by itself: one that is slow to answer must not delay the news of another. */
  private async probe(name: AppName, copy: Copy): Promise<void> {
    while (this.probing && this.of(name).includes(copy)) {
      copy.ready = await copy.app.ready();
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
  }

  private service(url: string, name: AppName, port: `${'' | 'SIGN_' | 'CONSOLE_' | 'PERSON_'}PORT`): Promise<void> {
    let turn = 0;
    const server = net.createServer({ noDelay: true }, (client) => {
      const ready = this.of(name).filter((copy) => copy.ready);
      const open = ready.length > 0 ? ready : this.of(name);
      const copy = open[turn++ % open.length];
      if (copy === undefined) return client.destroy();
      const upstream = net.connect({ port: Number(copy.app.env[port]), host: '127.0.0.1', noDelay: true });
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.sockets.add(socket);
        socket.pipe(other);
        socket.once('error', () => other.destroy());
        socket.once('close', () => this.sockets.delete(socket));
      }
      return client;
    });
    this.services.push(server);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(Number(new URL(url).port), '127.0.0.1', resolve);
    });
  }
}
