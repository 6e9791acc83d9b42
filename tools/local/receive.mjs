/**
 * npm run receive: a webhook receiver on loopback for trying things out. Checks both signatures with the demo tenant's
 * secret and says what arrived.
 *
 *   npm run receive -- --port 4000 --answer 204 --secret whsec_…
 */
import http from 'node:http';
import { parseArgs } from 'node:util';
import { PLACES, readJson } from './places.mjs';
import { serviceSignatureHolds, standardSignatureHolds } from './webhook-receiver.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4000' },
    answer: { type: 'string', default: '204' },
    secret: { type: 'string' },
  },
});
const secret = values.secret ?? readJson(PLACES.stack)?.tenant?.webhook_secret;
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
  console.error(
    error.code === 'EADDRINUSE' ? `Port ${values.port} is taken: choose another with --port.` : error.message,
  );
  process.exit(1);
});
server.listen(Number(values.port), '127.0.0.1', () => console.log(`Receiving on http://127.0.0.1:${values.port}/`));
