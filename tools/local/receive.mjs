/**
 * npm run receive: a webhook receiver on loopback for trying things out. Checks both signatures with the demo tenant's
 * secret and says what arrived.
 *
 *   npm run receive -- --port <that of receiver_url in stack.json> --answer 204 --secret whsec_…
 *   npm run receive -- --print      the bodies too
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
    print: { type: 'boolean', default: false },
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

const MAX_BODY_BYTES = 1024 * 1024;

/** What arrived, in a line: anyone who can reach the port may send anything, so nothing is taken for granted. */
function describe({ headers, body, path }) {
  const invalid =
    path === '/'
      ? 'NOT VALID'
      : `NOT VALID with this secret (the endpoint ${JSON.stringify(path)} may have its own: --secret)`;
  const holds = (check) => (check({ headers, body }, secret) ? 'valid' : invalid);
  const event = eventIn(body);
  const what = event ? `${event.event_type} ${event.event_id}` : `${body.length} bytes that are not an event`;
  return (
    `${what}: X-Service-Signature ${holds(serviceSignatureHolds)}, webhook-signature ` +
    `${holds(standardSignatureHolds)}; answered ${values.answer}`
  );
}

function eventIn(body) {
  try {
    const event = JSON.parse(body.toString('utf8'));
    return typeof event?.event_type === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
}

/** The body as it can be shown in a terminal: JSON indented, control characters escaped. */
function readable(body) {
  const event = eventIn(body);
  const text = event ? JSON.stringify(event, null, 2) : body.toString('utf8');
  return text.replace(/[^\P{Cc}\n]/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The body of a request; null when it is too long or breaks off. */
async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}

const server = http.createServer(async (request, response) => {
  const body = await bodyOf(request);
  if (body === null) {
    response.writeHead(413, { Connection: 'close' }).end();
    console.log(`A body that broke off, or of more than ${MAX_BODY_BYTES} bytes; answered 413`);
    return;
  }
  response.writeHead(Number(values.answer)).end();
  console.log(describe({ headers: request.headers, body, path: request.url }));
  if (values.print) console.log(readable(body));
});
server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
  console.error(
    error.code === 'EADDRINUSE'
      ? `Port ${port} is taken. If a receiver of this folder has it, end that one; or choose another with --port, and register its address.`
      : error.message,
  );
  process.exit(1);
});
server.listen(port, '127.0.0.1', () => console.log(`Receiving on http://127.0.0.1:${port}/`));
