/**
 * A development KMS: AWS JSON 1.1 over HTTP, RSA and symmetric keys kept in a folder. No dependency. For a developer's
 * machine and for tests only: it checks no signature of a request, listens on loopback and refuses production.
 *
 *   node libs/dev-servers/src/dev-kms.mjs --dir <folder> --port <port> [--rate <calls per second>] [--fail <mode>]
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { ACTIONS } from './dev-kms-actions.mjs';
import { KeyFolder, KmsError } from './dev-kms-keys.mjs';
import { runDevServer } from './run-dev-server.mjs';

const MAX_BODY = 64 * 1024;
const FIRST_ALIAS = 'alias/constancia-signing';
const DATA_ALIAS = 'alias/constancia-data';
export const MODES = ['ok', '5xx', 'throttle', 'hang', 'gone'];

function refuseProduction(env = process.env) {
  for (const name of ['SERVICE_ENVIRONMENT', 'NODE_ENV']) {
    if (env[name] === 'production') throw new Error(`The development KMS does not run with ${name}=production.`);
  }
}

function readBody(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    request.on('data', (chunk) => {
      size += chunk.length;
      if (size > MAX_BODY) reject(new KmsError('SerializationException', 'the request is too large'));
      else chunks.push(chunk);
    });
    request.on('end', () => {
      try {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
        if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('no object');
        resolve(body);
      } catch {
        reject(new KmsError('SerializationException', 'the request is not a JSON object'));
      }
    });
    request.on('error', reject);
  });
}

/** Real quotas, in small: `perSecond` calls a second, a burst of the same. */
function tokenBucket(perSecond) {
  let tokens = perSecond;
  let filledAt = performance.now();
  return () => {
    const now = performance.now();
    tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** The most calls that came within one second. */
function busiestSecond() {
  const last = [];
  let most = 0;
  return {
    add() {
      const now = performance.now();
      last.push(now);
      while (last[0] <= now - 1000) last.shift();
      most = Math.max(most, last.length);
    },
    most: () => most,
  };
}

/** @typedef {'ok' | '5xx' | 'throttle' | 'hang' | 'gone'} KmsMode */

/**
 * @typedef {object} DevKms
 * @property {string} url
 * @property {number} port
 * @property {string} keyId
 * @property {string} keyArn
 * @property {() => number} calls how many were made
 * @property {(mode: KmsMode) => void} setMode
 * @property {(keys: string[]) => void} refuseKeys ids of the keys that from now on no caller may use (AccessDeniedException); none: []
 * @property {() => Promise<void>} close
 */

/**
 * Starts the server, and makes what the folder has not: a signing key with the alias `alias/constancia-signing`, and a symmetric
 * one, `alias/constancia-data`, that data keys are wrapped with.
 *
 * @param {{ dir: string, port?: number, host?: string, callsPerSecond?: number, mode?: KmsMode }} options port 0 takes a free one
 * @returns {Promise<DevKms>}
 *   modes: ok; 5xx (KMSInternalException); throttle (ThrottlingException); hang (never answers); gone (the key is not found)
 */
export async function startDevKms({ dir, port = 0, host = '127.0.0.1', callsPerSecond, mode = 'ok' }) {
  refuseProduction();
  if (host !== '127.0.0.1' && host !== '::1') throw new Error('The development KMS listens on loopback only.');
  const folder = new KeyFolder(dir);
  if (!folder.aliases.has(FIRST_ALIAS)) {
    const key = await folder.create('RSA_2048', 'development signing key');
    folder.alias(FIRST_ALIAS, key.id);
  }
  if (!folder.aliases.has(DATA_ALIAS)) {
    const key = await folder.create('SYMMETRIC_DEFAULT', 'development key that data keys are wrapped with');
    folder.alias(DATA_ALIAS, key.id);
  }
  const allowed = callsPerSecond ? tokenBucket(callsPerSecond) : () => true;
  let calls = 0;
  let throttled = 0;
  const busiest = busiestSecond();

  const throttle = () => {
    throttled += 1;
    throw new KmsError('ThrottlingException', 'Rate exceeded');
  };
  const setMode = (next) => {
    if (!MODES.includes(next)) throw new KmsError('ValidationException', `mode is one of ${MODES.join(', ')}`);
    mode = next;
  };
  setMode(mode);
  let refused = new Set();
  const refuseKeys = (keys) => {
    refused = new Set(keys);
  };
  const checkAllowed = (action, reference) => {
    if (refused.size === 0 || reference === undefined) return;
    const { id, arn } = folder.known(reference);
    if (refused.has(id))
      throw new KmsError('AccessDeniedException', `Not authorized to perform: kms:${action} on resource: ${arn}`);
  };

  async function act(request) {
    const target = String(request.headers['x-amz-target'] ?? '');
    const action = target.startsWith('TrentService.') ? target.slice('TrentService.'.length) : '';
    const body = await readBody(request);
    calls += 1;
    busiest.add();
    if (mode === '5xx') throw new KmsError('KMSInternalException', 'as asked for by the mode', 500);
    if (mode === 'throttle' || !allowed()) throttle();
    if (mode === 'gone') throw new KmsError('NotFoundException', `Key '${body.KeyId}' does not exist`);
    if (!Object.hasOwn(ACTIONS, action)) throw new KmsError('UnknownOperationException', '');
    checkAllowed(action, body.KeyId);
    return ACTIONS[action](folder, body);
  }

  async function answer(request, response) {
    const reply = (status, body) => {
      const text = JSON.stringify(body);
      response.writeHead(status, {
        'content-type': 'application/x-amz-json-1.1',
        'content-length': Buffer.byteLength(text),
        'x-amzn-requestid': randomUUID(),
      });
      response.end(text);
    };
    try {
      if (request.method === 'GET' && request.url === '/__health') {
        return reply(200, { status: 'ok', mode, calls, throttled, most_in_one_second: busiest.most() });
      }
      if (request.method !== 'POST') throw new KmsError('UnknownOperationException', '', 404);
      if (request.url === '/__control') {
        const { mode: next = mode, refused_keys: keys = [...refused] } = await readBody(request);
        if (!Array.isArray(keys)) throw new KmsError('ValidationException', 'refused_keys is a list of ids of keys');
        setMode(next);
        refuseKeys(keys);
        return reply(200, { mode, refused_keys: [...refused] });
      }
      if (mode === 'hang') return; // until the caller gives up or the server closes
      reply(200, await act(request));
    } catch (error) {
      const known = error instanceof KmsError;
      if (!known) console.error(error);
      reply(known ? error.status : 500, {
        __type: known ? error.type : 'KMSInternalException',
        message: known ? error.message : '',
      });
    }
  }

  const server = http.createServer(
    { keepAliveTimeout: 60_000, noDelay: true },
    (request, response) => void answer(request, response),
  );
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const key = folder.find(FIRST_ALIAS);
  return {
    url: `http://${host === '::1' ? '[::1]' : host}:${bound}`,
    port: bound,
    keyId: key.id,
    keyArn: key.arn,
    calls: () => calls,
    setMode,
    refuseKeys,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function main() {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      rate: { type: 'string' },
      fail: { type: 'string', default: 'ok' },
    },
  });
  if (!values.dir) throw new Error('Usage: node libs/dev-servers/src/dev-kms.mjs --dir <folder> --port <port>');
  const kms = await startDevKms({
    dir: values.dir,
    port: Number(values.port),
    host: values.host,
    callsPerSecond: values.rate ? Number(values.rate) : undefined,
    mode: /** @type {KmsMode} */ (values.fail),
  });
  return { server: kms, facts: { url: kms.url, port: kms.port, key_id: kms.keyId, key_arn: kms.keyArn } };
}

runDevServer('dev-kms.mjs', main);
