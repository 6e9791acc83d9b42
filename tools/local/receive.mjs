/**
 * npm run receive: a webhook receiver on loopback for trying things out. Checks both signatures with the demo tenant's
 * secret and says what arrived.
 *
 *   npm run receive -- --port <that of receiver_url in stack.json> --answer 204 --secret whsec_…
 */
import http from 'node:http';
import { parseArgs } from 'node:util';
import { DEFAULT_PORT_BASE, PLACES, readJson, receiverPort } from './places.mjs';
import { serviceSignatureHolds, standardSignatureHolds } from './webhook-receiver.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    answer: { type: 'string', default: '204' },
    secret: { type: 'string' },
  },
});
const stack = readJson(PLACES.stack);
const address = stack?.receiver_url ?? `http://127.0.0.1:${receiverPort(DEFAULT_PORT_BASE)}/`;
const port = Number(values.port ?? new URL(address).port);
const secret = values.secret ?? stack?.tenant?.webhook_secret;
if (!secret) {
  console.error('There is no demo tenant: run "npm start" first, or give --secret whsec_…');
  process.exit(1);
}

const server = http.createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  response.writeHead(Number(values.answer)).end();
  const delivery = { headers: request.headers, body: Buffer.concat(chunks) };
  const holds = (check) => (check(delivery, secret) ? 'valid' : 'NOT VALID');
  const { event_type: type, event_id: id } = JSON.parse(delivery.body.toString('utf8') || '{}');
  console.log(
    `${type} ${id}: X-Service-Signature ${holds(serviceSignatureHolds)}, webhook-signature ` +
      `${holds(standardSignatureHolds)}; answered ${values.answer}`,
  );
});
server.on('error', (error) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${port} is taken: choose another with --port.` : error.message);
  process.exit(1);
});
server.listen(port, '127.0.0.1', () => console.log(`Receiving on http://127.0.0.1:${port}/`));
