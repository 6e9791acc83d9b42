import { constants, createHash, generateKeyPairSync, privateEncrypt } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FilesystemStore } from '../filesystem-store.ts';
import { FIRST_HEAD } from './archive-file.ts';
import { type ArchiveKey, SignedArchives } from './signed-archives.ts';

const FILE = {
  history: 'ledger',
  table: 'platform.credit_entry',
  tenant_id: '01a22483-599d-754a-a61b-c3f9a9adf7e1',
  from: 1,
  through: 2,
  head_before: FIRST_HEAD,
  previous_sha256: null,
  rows: ['{"seq": 1}', '{"seq": 2}'],
};

let folder: string;
let archives: SignedArchives;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'signed-archives-'));
  archives = new SignedArchives(new FilesystemStore({ dir: folder }));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

function newKey(): ArchiveKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { key: privateKey, padding: constants.RSA_PKCS1_PADDING };
  return {
    fingerprint: createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('hex'),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (digest) => Promise.resolve(privateEncrypt(key, Buffer.concat([DIGEST_INFO, digest]))),
  };
}

it('the same rows signed by the same key are the same objects', async () => {
  const key = newKey();
  const [first, again] = [await archives.store(FILE, key), await archives.store(FILE, key)];
  expect(again).toEqual(first);
  expect(fs.readdirSync(path.dirname(path.join(folder, first.object_key)))).toHaveLength(2);
});

it('the same rows signed by a new key are other objects, and both files are whole', async () => {
  const keys = [newKey(), newKey()];
  const records = [];
  for (const key of keys) records.push(await archives.store(FILE, key));
  for (const [nth, record] of records.entries())
    expect(await archives.read(record, keys[nth]?.publicKeyPem ?? '')).toEqual(FILE.rows);
});
