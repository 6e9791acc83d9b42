import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { answered, type Shop } from './shop.ts';

/** Systems of the tenant that get its events, while the month is filled. */
export class Receivers {
  private readonly servers: http.Server[] = [];
  private formerId = '';

  /** One that works from the first day, one that was replaced, and one that fails day by day until it is switched off. */
  async register(shop: Shop): Promise<void> {
    const { port } = new URL(shop.stack.receiver_url);
    // Taken: `npm run receive` runs, and gets the events itself.
    await this.listen(204, Number(port)).catch(() => undefined);
    await endpoint(shop, new URL('core-bancario', shop.stack.receiver_url).href, 'Core bancario', [
      'compliance',
      'seal',
      'identity',
    ]);
    this.formerId = await endpoint(shop, await this.listen(410), 'CRM anterior', ['seal']);
    await endpoint(shop, await this.listen(500), 'Bodega de datos', ['compliance']);
  }

  /** One that began to fail lately. */
  async registerFailing(shop: Shop): Promise<void> {
    await endpoint(shop, await this.listen(503), 'Tablero comercial', ['seal', 'identity']);
  }

  /** Somebody tries the one that was replaced again. */
  async retryFormer({ platform }: Shop): Promise<void> {
    const options = { params: { path: { id: this.formerId } }, body: { enabled: true } };
    await answered(platform.PATCH('/v1/webhook-endpoints/{id}', options));
  }

  close(): void {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  private async listen(status: number, port = 0): Promise<string> {
    const server = http.createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    this.servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/eventos`;
  }
}

async function endpoint(
  { platform }: Shop,
  url: string,
  description: string,
  modules: ('compliance' | 'seal' | 'identity')[],
): Promise<string> {
  const { id } = await answered(platform.POST('/v1/webhook-endpoints', { body: { url, description, modules } }));
  return id;
}
