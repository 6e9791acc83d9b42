/**
 * A mail sink for a developer's machine: takes every mail by SMTP and every text message over HTTP (text-sink.mjs), keeps the last ones
 * in memory and shows them over HTTP. Loopback only; nothing is ever sent on.
 *
 *   node libs/dev-servers/src/mailbox.mjs --port <HTTP port> --smtp-port <port>
 *
 *   GET    /messages?to=<address>   [{to, subject, text, html, received_at}], newest first
 *   GET    /texts?to=<number>       [{channel, to, text, received_at}], newest first; channel: sms, whatsapp
 *   DELETE /messages                empties the mailbox
 *   GET    /                        the same for people
 */
import http from 'node:http';
import { parseArgs } from 'node:util';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { listPage, mailPage, missingPage } from './mailbox-pages.mjs';
import { runDevServer } from './run-dev-server.mjs';
import { StoredMails } from './stored-mails.mjs';
import { TextSink } from './text-sink.mjs';

const MAX_MESSAGES = 500;
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;
const LOOPBACK = new Set(['127.0.0.1', '::1']);

/** smtp-server holds every connection for 100 ms to catch clients that talk too soon. Ours never do. */
class PromptConnection extends SMTPConnection {
  /** @override */
  init() {
    this._setListeners(() => this.connectionReady());
  }
}

class PromptServer extends SMTPServer {
  /** @override */
  connect(socket, socketOptions) {
    const connection = new PromptConnection(this, socket, socketOptions);
    this.connections.add(connection);
    connection.on('error', () => undefined);
    connection.init();
  }
}

async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The parser ends every part with a line break that the sender did not write. */
function withoutLastBreak(part) {
  return (part ?? '').replace(/\n$/, '');
}

async function receive(stored, stream, session) {
  const raw = await read(stream);
  if (stream.sizeExceeded) throw Object.assign(new Error('the message is too large'), { responseCode: 552 });
  const parsed = await PostalMime.parse(raw);
  const receivers = session.envelope.rcptTo.map(({ address }) => address);
  const mail = {
    receivers: receivers.map((address) => address.toLowerCase()),
    from: parsed.from?.address ?? '',
    to: receivers.join(', '),
    subject: parsed.subject ?? '',
    text: withoutLastBreak(parsed.text),
    html: withoutLastBreak(parsed.html),
    received_at: new Date().toISOString(),
  };
  stored.put(mail, raw.length);
}

function smtpServer(stored) {
  return new PromptServer({
    name: 'localhost',
    banner: 'development mailbox',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: MAX_MESSAGE_BYTES,
    onData(stream, session, done) {
      receive(stored, stream, session).then(
        () => done(),
        (error) => done(error),
      );
    },
  });
}

const SECURITY = {
  // The frame of an HTML mail inherits this: no script, nothing from elsewhere but the logos that the local stack serves.
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data: http://127.0.0.1:* http://localhost:*; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

function answer(response, status, type, body) {
  response.writeHead(status, {
    ...SECURITY,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** A page of another site may have its name point here: it would still send its own name as Host. */
function fromHere(request) {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '');
}

function httpServer(stored, texts) {
  const serve = async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const language = url.searchParams.get('lang') ?? (request.headers['accept-language'] ?? '').trim().slice(0, 2);
    const page = (status, html) => answer(response, status, 'text/html; charset=utf-8', html);
    const json = (status, body) => answer(response, status, 'application/json', JSON.stringify(body));
    if (!fromHere(request)) return json(403, { error: 'this mailbox answers to localhost only' });
    if (await texts.handle(request, response, url)) return undefined;
    if (url.pathname === '/messages' && request.method === 'DELETE') {
      stored.clear();
      texts.clear();
      return json(200, []);
    }
    if (request.method !== 'GET') return json(405, { error: 'method not allowed' });
    if (url.pathname === '/__health') return json(200, { status: 'ok' });
    if (url.pathname === '/messages') return json(200, stored.to(url.searchParams.get('to')).map(publicMail));
    if (url.pathname === '/texts') return json(200, texts.to(url.searchParams.get('to')).map(publicText));
    if (url.pathname === '/') {
      const to = url.searchParams.get('to') ?? '';
      return page(200, listPage(stored.to(to), { language, to, texts: texts.to(to) }));
    }
    const mail = stored.mails.find(({ id }) => url.pathname === `/mail/${id}`);
    return mail ? page(200, mailPage(mail, { language })) : page(404, missingPage({ language }));
  };
  return http.createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
}

function publicMail({ to, subject, text, html, received_at }) {
  return { to, subject, text, html, received_at };
}

function publicText({ channel, to, text, received_at }) {
  return { channel, to, text, received_at };
}

function listening(server, port, host) {
  return new Promise((resolve, reject) => {
    const inner = server.server ?? server;
    server.once('error', reject);
    server.listen(port, host, () => resolve(inner.address().port));
  });
}

/** @typedef {{ to: string, subject: string, text: string, html: string, received_at: string }} ReceivedMail */

/**
 * @typedef {object} Mailbox
 * @property {string} smtpUrl
 * @property {string} url
 * @property {number} smtpPort
 * @property {number} httpPort
 * @property {(to?: string) => ReceivedMail[]} messages newest first
 * @property {(to?: string) => import('./text-sink.mjs').ReceivedText[]} texts newest first
 * @property {(...faults: (typeof import('./text-sink.mjs').TEXT_FAULTS)[number][]) => void} failTexts the next texts are answered with these
 * @property {() => Promise<void>} close
 */

/**
 * Starts both servers.
 *
 * @param {{ smtpPort?: number, httpPort?: number, host?: string, maxMessages?: number }} options port 0 takes a free one;
 *   maxMessages: how many mails are kept
 * @returns {Promise<Mailbox>}
 */
export async function startMailbox({
  smtpPort = 0,
  httpPort = 0,
  host = '127.0.0.1',
  maxMessages = MAX_MESSAGES,
} = {}) {
  if (!LOOPBACK.has(host)) throw new Error('The development mailbox listens on loopback only.');
  const stored = new StoredMails(maxMessages);
  const smtp = smtpServer(stored);
  const texts = new TextSink();
  const web = httpServer(stored, texts);
  const boundSmtp = await listening(smtp, smtpPort, host);
  smtp.on('error', () => undefined); // a client that went away
  let boundHttp;
  try {
    boundHttp = await listening(web, httpPort, host);
  } catch (error) {
    await new Promise((resolve) => smtp.close(() => resolve(undefined)));
    throw error;
  }
  const name = host === '::1' ? '[::1]' : host;
  return {
    smtpUrl: `smtp://${name}:${boundSmtp}`,
    url: `http://${name}:${boundHttp}`,
    smtpPort: boundSmtp,
    httpPort: boundHttp,
    messages: (to) => stored.to(to).map(publicMail),
    texts: (to) => texts.to(to).map(publicText),
    failTexts: (...faults) => void texts.faults.push(...faults),
    async close() {
      const closed = [smtp, web].map((server) => new Promise((resolve) => server.close(() => resolve(undefined))));
      web.closeAllConnections();
      for (const connection of smtp.connections) connection.close();
      await Promise.all(closed);
    },
  };
}

async function main() {
  const { values } = parseArgs({
    options: {
      'smtp-port': { type: 'string', default: '0' },
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
    },
  });
  const mailbox = await startMailbox({
    smtpPort: Number(values['smtp-port']),
    httpPort: Number(values.port),
    host: values.host,
  });
  return { server: mailbox, facts: { url: mailbox.url, smtp_url: mailbox.smtpUrl } };
}

runDevServer('mailbox.mjs', main);
