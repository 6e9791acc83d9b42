/** The keys of the development KMS, and the error that it answers when one is missing. */
import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';

/** An error as AWS answers it: `__type` in the body, HTTP status 400 (the caller's) or 500. */
export class KmsError extends Error {
  constructor(type, message, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }
}

/** The keys of one folder: one JSON file (mode 0600) per key, and aliases.json. */
export class KeyFolder {
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

  /** A key that is not enabled does nothing until it is again. */
  enable(reference, enabled) {
    const key = this.known(reference);
    const file = `${key.id}.json`;
    key.enabled = enabled;
    this.write(file, { ...JSON.parse(fs.readFileSync(path.join(this.dir, file), 'utf8')), enabled });
  }

  /** By id, key ARN, alias name or alias ARN. */
  find(reference) {
    const key = this.known(reference);
    if (!key.enabled) throw new KmsError('DisabledException', `${key.arn} is disabled.`);
    return key;
  }

  /** The same, also while it is disabled. */
  known(reference) {
    if (typeof reference !== 'string' || reference === '')
      throw new KmsError('ValidationException', 'KeyId is required');
    const name = reference.replace(/^arn:aws:kms:[^:]*:[^:]*:(key\/)?/, '');
    const key = this.keys.get(name.startsWith('alias/') ? this.aliases.get(name) : name);
    if (!key) throw new KmsError('NotFoundException', `Key '${reference}' does not exist`);
    return key;
  }
}
