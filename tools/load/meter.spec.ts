import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Meter } from './meter.ts';

it('counts and times requests by their resource', async () => {
  const server = http.createServer((request, response) =>
    response.writeHead(request.url === '/v1/screenings/none' ? 404 : 200).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const meter = new Meter();
  for (const path of ['screenings', 'screenings/none', 'screenings', 'envelopes'])
    await meter.fetch(`http://127.0.0.1:${port}/v1/${path}`, {});
  server.close();
  expect(meter.of('screenings')).toMatchObject({ answered: 2, refused: 1 });
  expect(meter.of('screenings').p99).toBeGreaterThan(0);
  expect(meter.of('signatures')).toEqual({ answered: 0, refused: 0, p50: 0, p99: 0 });
});
