/**
 * A development KMS: AWS JSON 1.1 over HTTP, RSA and symmetric keys kept in a folder. No dependency. For a developer's
 * machine and for tests only: it checks no signature of a request, listens on loopback and refuses production.
 *
 *   node tools/local/dev-kms.mjs --dir <folder> --port <port> [--rate <calls per second>] [--fail <mode>]
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  privateEncrypt,
  publicDecrypt,
  constants,
  randomBytes,
  randomUUID,
  sign as signBytes,
} from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const REGION = 'us-east-1';
const ACCOUNT = '000000000000';
const ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const MAX_BODY = 64 * 1024;
const FIRST_ALIAS = 'alias/constancia-signing';
export const MODES = ['ok', '5xx', 'throttle', 'hang', 'gone'];

/** An error as AWS answers it: `__type` in the body, HTTP status 400 (the caller's) or 500. */
class KmsError extends Error {
  constructor(type, message, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }
}

function refuseProduction(env = process.env) {
  for (const name of ['SERVICE_ENVIRONMENT', 'NODE_ENV']) {
    if (env[name] === 'production') throw new Error(`The development KMS does not run with ${name}=production.`);
  }
}

/** The keys of one folder: one JSON file (mode 0600) per key, and aliases.json. */
class KeyFolder {
  constructor(dir) {
    this.dir = dir;
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.keys = new Map();
    for (const file of fs.readdirSync(dir)) {
      if (/^[0-9a-f-]{36}\.json$/.test(file)) this.load(JSON.parse(fs.readFileSync(path.join(dir, file), 'utf8')));
    }
    const aliases = path.join(dir, 'aliases.json');
    this.aliases = new Map(fs.existsSync(aliases) ? Object.entries(JSON.parse(fs.readFileSync(aliases, 'utf8'))) : []);
  }

  load(record) {
    const key = { ...record, arn: `arn:aws:kms:${REGION}:${ACCOUNT}:key/${record.id}` };
    if (record.spec === 'RSA_2048') {
      key.privateKey = createPrivateKey(record.private_pem);
      key.publicDer = createPublicKey(key.privateKey).export({ type: 'spki', format: 'der' });
      key.publicKey = createPublicKey(key.privateKey);
    } else key.secret = Buffer.from(record.secret, 'base64');
    this.keys.set(record.id, key);
    return key;
  }

  write(file, content) {
    const target = path.join(this.dir, file);
    fs.writeFileSync(`${target}.new`, JSON.stringify(content), { mode: 0o600 });
    fs.renameSync(`${target}.new`, target);
  }

  async create(spec, description = '') {
    const record = { id: randomUUID(), spec, description, created_at: new Date().toISOString(), enabled: true };
    if (spec === 'RSA_2048') {
      const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
      record.private_pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    } else record.secret = randomBytes(32).toString('base64');
    this.write(`${record.id}.json`, record);
    return this.load(record);
  }

  alias(name, id) {
    this.aliases.set(name, id);
    this.write('aliases.json', Object.fromEntries(this.aliases));
  }

  /** By id, key ARN, alias name or alias ARN. */
  find(reference) {
    if (typeof reference !== 'string' || reference === '')
      throw new KmsError('ValidationException', 'KeyId is required');
    const name = reference.replace(/^arn:aws:kms:[^:]*:[^:]*:(key\/)?/, '');
    const key = this.keys.get(name.startsWith('alias/') ? this.aliases.get(name) : name);
    if (!key) throw new KmsError('NotFoundException', `Key '${reference}' does not exist`);
    if (!key.enabled) throw new KmsError('DisabledException', `${key.arn} is disabled.`);
    return key;
  }
}

function bytesOf(value, name, min, max) {
  if (typeof value !== 'string') throw new KmsError('ValidationException', `${name} is required`);
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length < min || bytes.length > max) {
    throw new KmsError('ValidationException', `${name} must have ${min} to ${max} bytes`);
  }
  return bytes;
}

function signingKey(folder, body) {
  const key = folder.find(body.KeyId);
  if (key.spec !== 'RSA_2048')
    throw new KmsError('InvalidKeyUsageException', `${key.arn} key usage is ENCRYPT_DECRYPT`);
  if (body.SigningAlgorithm !== ALGORITHM) {
    throw new KmsError('ValidationException', `this server signs with ${ALGORITHM} only`);
  }
  return key;
}

/** The message to sign: its digest (32 bytes) for DIGEST, up to 4096 bytes otherwise. */
function digestOf(body) {
  if (body.MessageType === 'DIGEST') {
    const digest = bytesOf(body.Message, 'Message', 0, 4096);
    if (digest.length !== 32) {
      throw new KmsError('ValidationException', 'Digest is invalid length for algorithm RSASSA_PKCS1_V1_5_SHA_256.');
    }
    return { digest };
  }
  const message = bytesOf(body.Message, 'Message', 1, 4096);
  return { message, digest: createHash('sha256').update(message).digest() };
}

function symmetricKey(folder, reference) {
  const key = folder.find(reference);
  if (key.spec !== 'SYMMETRIC_DEFAULT')
    throw new KmsError('InvalidKeyUsageException', `${key.arn} key usage is SIGN_VERIFY`);
  return key;
}

const contextOf = (body) => Buffer.from(JSON.stringify(Object.entries(body.EncryptionContext ?? {}).sort()));

function encrypt(key, plaintext, context) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.secret, nonce).setAAD(context);
  const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from(key.id), nonce, text, cipher.getAuthTag()]).toString('base64');
}

function decrypt(folder, blob, context) {
  const key = folder.keys.get(blob.subarray(0, 36).toString('latin1'));
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.secret, blob.subarray(36, 48))
      .setAAD(context)
      .setAuthTag(blob.subarray(-16));
    return { key, plaintext: Buffer.concat([decipher.update(blob.subarray(48, -16)), decipher.final()]) };
  } catch {
    throw new KmsError('InvalidCiphertextException', '');
  }
}

function metadata(key) {
  const signs = key.spec === 'RSA_2048';
  return {
    AWSAccountId: ACCOUNT,
    KeyId: key.id,
    Arn: key.arn,
    CreationDate: Date.parse(key.created_at) / 1000,
    Description: key.description,
    Enabled: key.enabled,
    KeyManager: 'CUSTOMER',
    KeySpec: key.spec,
    CustomerMasterKeySpec: key.spec,
    KeyState: key.enabled ? 'Enabled' : 'Disabled',
    KeyUsage: signs ? 'SIGN_VERIFY' : 'ENCRYPT_DECRYPT',
    MultiRegion: false,
    Origin: 'AWS_KMS',
    ...(signs ? { SigningAlgorithms: [ALGORITHM] } : { EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'] }),
  };
}

const signAsync = promisify(signBytes);
const signDigest = (key, digest) =>
  privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([DIGEST_INFO, digest]));

const ACTIONS = {
  async Sign(folder, body) {
    const key = signingKey(folder, body);
    const { message, digest } = digestOf(body);
    const signature = message ? await signAsync('sha256', message, key.privateKey) : signDigest(key.privateKey, digest);
    return { KeyId: key.arn, Signature: signature.toString('base64'), SigningAlgorithm: ALGORITHM };
  },

  async Verify(folder, body) {
    const key = signingKey(folder, body);
    const { digest } = digestOf(body);
    let encoded;
    try {
      const signature = bytesOf(body.Signature, 'Signature', 1, 6144);
      encoded = publicDecrypt({ key: key.publicKey, padding: constants.RSA_PKCS1_PADDING }, signature);
    } catch {
      encoded = Buffer.alloc(0);
    }
    if (!encoded.equals(Buffer.concat([DIGEST_INFO, digest]))) throw new KmsError('KMSInvalidSignatureException', '');
    return { KeyId: key.arn, SignatureValid: true, SigningAlgorithm: ALGORITHM };
  },

  async GetPublicKey(folder, body) {
    const key = folder.find(body.KeyId);
    if (!key.publicDer) throw new KmsError('UnsupportedOperationException', `${key.arn} is a symmetric key`);
    return {
      KeyId: key.arn,
      PublicKey: key.publicDer.toString('base64'),
      KeySpec: key.spec,
      CustomerMasterKeySpec: key.spec,
      KeyUsage: 'SIGN_VERIFY',
      SigningAlgorithms: [ALGORITHM],
    };
  },

  async DescribeKey(folder, body) {
    return { KeyMetadata: metadata(folder.find(body.KeyId)) };
  },

  async CreateKey(folder, body) {
    const spec = body.KeySpec ?? body.CustomerMasterKeySpec ?? 'SYMMETRIC_DEFAULT';
    const usage = body.KeyUsage ?? (spec === 'RSA_2048' ? 'SIGN_VERIFY' : 'ENCRYPT_DECRYPT');
    const known = { RSA_2048: 'SIGN_VERIFY', SYMMETRIC_DEFAULT: 'ENCRYPT_DECRYPT' };
    if (known[spec] !== usage)
      throw new KmsError('ValidationException', 'this server makes RSA_2048 keys that sign and symmetric ones');
    return { KeyMetadata: metadata(await folder.create(spec, body.Description)) };
  },

  async Encrypt(folder, body) {
    const key = symmetricKey(folder, body.KeyId);
    const plaintext = bytesOf(body.Plaintext, 'Plaintext', 1, 4096);
    return {
      KeyId: key.arn,
      CiphertextBlob: encrypt(key, plaintext, contextOf(body)),
      EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
    };
  },

  async Decrypt(folder, body) {
    const blob = bytesOf(body.CiphertextBlob, 'CiphertextBlob', 1, 6144);
    const { key, plaintext } = decrypt(folder, blob, contextOf(body));
    if (body.KeyId && folder.find(body.KeyId).id !== key.id) throw new KmsError('IncorrectKeyException', '');
    return { KeyId: key.arn, Plaintext: plaintext.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  },

  async GenerateDataKey(folder, body) {
    const key = symmetricKey(folder, body.KeyId);
    const size = body.NumberOfBytes ?? { AES_128: 16, AES_256: 32 }[body.KeySpec];
    if (!Number.isInteger(size) || size < 1 || size > 1024) {
      throw new KmsError('ValidationException', 'either KeySpec or NumberOfBytes is required');
    }
    const plaintext = randomBytes(size);
    return {
      KeyId: key.arn,
      CiphertextBlob: encrypt(key, plaintext, contextOf(body)),
      Plaintext: plaintext.toString('base64'),
    };
  },
};

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

/**
 * Starts the server, and makes a signing key with the alias `alias/constancia-signing` when the folder has none.
 *
 * @param {{ dir: string, port?: number, host?: string, callsPerSecond?: number, mode?: string }} options port 0 takes a free one
 * @returns {Promise<{ url: string, port: number, keyId: string, keyArn: string, calls: () => number,
 *   setMode: (mode: string) => void, close: () => Promise<void> }>}
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
  const allowed = callsPerSecond ? tokenBucket(callsPerSecond) : () => true;
  let calls = 0;

  const setMode = (next) => {
    if (!MODES.includes(next)) throw new KmsError('ValidationException', `mode is one of ${MODES.join(', ')}`);
    mode = next;
  };
  setMode(mode);

  async function act(request) {
    const target = String(request.headers['x-amz-target'] ?? '');
    const action = target.startsWith('TrentService.') ? target.slice('TrentService.'.length) : '';
    const body = await readBody(request);
    calls += 1;
    if (mode === '5xx') throw new KmsError('KMSInternalException', 'as asked for by the mode', 500);
    if (mode === 'throttle' || !allowed()) throw new KmsError('ThrottlingException', 'Rate exceeded');
    if (mode === 'gone') throw new KmsError('NotFoundException', `Key '${body.KeyId}' does not exist`);
    if (!Object.hasOwn(ACTIONS, action)) throw new KmsError('UnknownOperationException', '');
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
      if (request.method === 'GET' && request.url === '/__health') return reply(200, { status: 'ok', mode });
      if (request.method !== 'POST') throw new KmsError('UnknownOperationException', '', 404);
      if (request.url === '/__control') {
        setMode((await readBody(request)).mode);
        return reply(200, { mode });
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
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = server.address().port;
  const key = folder.find(FIRST_ALIAS);
  return {
    url: `http://${host === '::1' ? '[::1]' : host}:${bound}`,
    port: bound,
    keyId: key.id,
    keyArn: key.arn,
    calls: () => calls,
    setMode,
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
  if (!values.dir) throw new Error('Usage: node tools/local/dev-kms.mjs --dir <folder> --port <port>');
  const kms = await startDevKms({
    dir: values.dir,
    port: Number(values.port),
    host: values.host,
    callsPerSecond: values.rate ? Number(values.rate) : undefined,
    mode: values.fail,
  });
  const stop = () => void kms.close().then(() => process.exit(0));
  process.once('SIGTERM', stop).once('SIGINT', stop);
  console.log(
    JSON.stringify({
      ready: true,
      url: kms.url,
      port: kms.port,
      key_id: kms.keyId,
      key_arn: kms.keyArn,
      pid: process.pid,
    }),
  );
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(
      error.code === 'EADDRINUSE' ? `Port ${error.port} is taken: choose another with --port.` : error.message,
    );
    process.exit(1);
  });
}
