import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FilesystemStore, ObjectMissing, S3Store, StorageUnavailable } from './index.ts';
import type { ObjectStore } from './index.ts';
import { objectStore } from './store-of-config.ts';

const pdf = { contentType: 'application/pdf' };
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const temporary = () => fs.mkdtempSync(path.join(os.tmpdir(), 'objects-'));

interface Opened {
  store: ObjectStore;
  /** The same kind of store, of something that is unavailable. */
  away: ObjectStore;
  close(): Promise<void>;
}

async function filesystem(): Promise<Opened> {
  const dir = temporary();
  const file = path.join(dir, 'a-file');
  fs.writeFileSync(file, '');
  const away = new FilesystemStore({ dir: path.join(file, 'under-a-file') });
  return {
    store: new FilesystemStore({ dir: path.join(dir, 'store') }),
    away,
    close: async () => fs.rmSync(dir, { recursive: true }),
  };
}

async function s3(): Promise<Opened> {
  const dir = temporary();
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => {
    run(): Promise<net.AddressInfo>;
    close(): Promise<void>;
  };
  const options = {
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: dir,
    configureBuckets: [{ name: 'objects' }],
  };
  const server = new S3rver(options);
  const { port } = await server.run();
  const common = { bucket: 'objects', region: 'us-east-1', forcePathStyle: true, credentials };
  return {
    store: new S3Store({ ...common, endpoint: `http://127.0.0.1:${port}` }),
    away: new S3Store({ ...common, endpoint: 'http://127.0.0.1:1', maxAttempts: 1 }),
    close: async () => {
      await server.close();
      fs.rmSync(dir, { recursive: true });
    },
  };
}

describe.each([
  { name: 'a folder', open: filesystem },
  { name: 'S3', open: s3 },
])('an object store in $name', ({ open }) => {
  let opened: Opened;
  let store: ObjectStore;

  beforeAll(async () => {
    opened = await open();
    store = opened.store;
  });
  afterAll(async () => {
    await store.close();
    await opened.away.close();
    await opened.close();
  });

  it('gives back the bytes that it was given', async () => {
    const bytes = randomBytes(300_000);
    await store.put('tenants/t1/a.pdf', bytes, pdf);
    expect((await store.get('tenants/t1/a.pdf')).equals(bytes)).toBe(true);
  });

  it('takes and gives streams, with the size', async () => {
    const bytes = randomBytes(2_500_000);
    const chunks = Array.from({ length: 25 }, (_, index) => bytes.subarray(index * 100_000, (index + 1) * 100_000));
    await store.put('streamed', Readable.from(chunks), pdf);
    const { body, size } = await store.stream('streamed');
    expect(size).toBe(bytes.length);
    expect((await buffer(body)).equals(bytes)).toBe(true);
  });

  it('takes an empty object', async () => {
    await store.put('empty', Buffer.alloc(0), pdf);
    expect(await store.get('empty')).toHaveLength(0);
  });

  it('can be given the same object twice, also at once, and keeps the last bytes of a key', async () => {
    const bytes = randomBytes(50_000);
    await Promise.all([store.put('again', bytes, pdf), store.put('again', bytes, pdf), store.put('again', bytes, pdf)]);
    // s3rver, unlike S3, answers a put before the file of another one of the same key is whole.
    await vi.waitFor(async () => expect((await store.get('again')).equals(bytes)).toBe(true));
    await store.put('again', Buffer.from('other'), pdf);
    expect((await store.get('again')).toString()).toBe('other');
  });

  it('keeps nothing of a stream that breaks', async () => {
    await store.put('kept', Buffer.from('before'), pdf);
    const broken = () =>
      Readable.from(
        (async function* () {
          yield randomBytes(10_000);
          throw new Error('the upload was cut');
        })(),
      );
    await expect(store.put('kept', broken(), pdf)).rejects.toThrow('the upload was cut');
    await expect(store.put('never', broken(), pdf)).rejects.toThrow('the upload was cut');
    expect((await store.get('kept')).toString()).toBe('before');
    await expect(store.get('never')).rejects.toThrow(ObjectMissing);
  });

  it('throws ObjectMissing for a key without an object', async () => {
    await store.put('folder/inside', Buffer.from('x'), pdf);
    for (const key of ['nothing', 'folder', 'folder/nothing', 'folder/inside/deeper']) {
      await expect(store.get(key)).rejects.toThrow(ObjectMissing);
      await expect(store.stream(key)).rejects.toThrow(ObjectMissing);
    }
  });

  it('deletes, also what is not there', async () => {
    await store.put('short-lived', Buffer.from('x'), pdf);
    await store.delete('short-lived');
    await store.delete('short-lived');
    await store.delete('never/was/there');
    await expect(store.get('short-lived')).rejects.toThrow(ObjectMissing);
  });

  it.each([
    '',
    '/',
    '../x',
    'a/../b',
    'a/./b',
    '.',
    '..',
    '/etc/passwd',
    'a//b',
    'a/',
    'a b',
    'a\\b',
    'a\0b',
    'é',
    '.incoming',
    '.incoming/x',
    'a'.repeat(513),
  ])('refuses the key %j', async (key) => {
    await expect(store.put(key, Buffer.from('x'), pdf)).rejects.toThrow('malformed object key');
    await expect(store.get(key)).rejects.toThrow('malformed object key');
    await expect(store.stream(key)).rejects.toThrow('malformed object key');
    await expect(store.delete(key)).rejects.toThrow('malformed object key');
  });

  it('answers a ping', () => store.ping());

  it('throws StorageUnavailable while the store is unavailable', async () => {
    const { away } = opened;
    await expect(away.ping()).rejects.toThrow(StorageUnavailable);
    await expect(away.put('k', Buffer.from('x'), pdf)).rejects.toThrow(StorageUnavailable);
    await expect(away.put('k', Readable.from([Buffer.from('x')]), pdf)).rejects.toThrow(StorageUnavailable);
    await expect(away.get('k')).rejects.toThrow(StorageUnavailable);
    await expect(away.stream('k')).rejects.toThrow(StorageUnavailable);
    await expect(away.delete('k')).rejects.toThrow(StorageUnavailable);
  });
});

describe('the folder of a store', () => {
  // S3 promises this itself; s3rver, which only stands in for it here, does not keep it.
  it('shows readers the old bytes or the new ones, never a part', async () => {
    const dir = temporary();
    const store = new FilesystemStore({ dir });
    const versions = [Buffer.alloc(400_000, 'a'), Buffer.alloc(400_000, 'b')];
    await store.put('whole', versions[0] as Buffer, pdf);
    let writing = true;
    const writer = (async () => {
      for (let i = 0; i < 10; i++) await store.put('whole', versions[i % 2] as Buffer, pdf);
      writing = false;
    })();
    while (writing) {
      const read = await store.get('whole');
      expect(versions.some((version) => version.equals(read))).toBe(true);
    }
    await writer;
    fs.rmSync(dir, { recursive: true });
  });

  it('is unavailable, not empty, once it is gone; before it was made it is empty', async () => {
    const dir = path.join(temporary(), 'store');
    const store = new FilesystemStore({ dir });
    await expect(store.get('a')).rejects.toThrow(ObjectMissing);
    await store.put('a', Buffer.from('x'), pdf);
    fs.rmSync(dir, { recursive: true });
    await expect(store.get('a')).rejects.toThrow(StorageUnavailable);
    fs.rmSync(path.dirname(dir), { recursive: true });
  });

  it('is its owner’s alone, and holds no left-over', async () => {
    const dir = path.join(temporary(), 'store');
    const store = new FilesystemStore({ dir });
    await store.put('a/b/c', Buffer.from('x'), pdf);
    expect(fs.statSync(dir).mode & 0o777).toBe(0o700);
    expect(fs.statSync(path.join(dir, 'a/b/c')).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(path.join(dir, '.incoming'))).toEqual([]);
    fs.rmSync(path.dirname(dir), { recursive: true });
  });
});

describe('an S3 server that stops in the middle of an object', () => {
  it('is unavailable, and nobody waits for it for ever', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const store = new S3Store({
      bucket: 'b',
      forcePathStyle: true,
      credentials,
      endpoint,
      maxAttempts: 1,
      idleTimeoutMs: 300,
    });
    await expect(store.get('key')).rejects.toThrow(StorageUnavailable);
    await store.close();
    server.close();
  });
});

describe('objectStore', () => {
  it('takes the bucket before the folder, and wants one of them', () => {
    expect(objectStore({ storageDir: '/tmp/x' })).toBeInstanceOf(FilesystemStore);
    expect(objectStore({ storageDir: '/tmp/x', s3Bucket: 'b' })).toBeInstanceOf(S3Store);
    expect(() => objectStore({})).toThrow(/STORAGE_DIR or S3_BUCKET/);
  });

  it('asks the bucket with a key of its own where there is one', async () => {
    const s3AccessKeyId = 'a-key-of-the-bucket';
    const store = objectStore({ s3Bucket: 'b', s3AccessKeyId, s3SecretAccessKey: 'secret' }) as S3Store;
    const address = await store.presignPut('k', { contentType: 'image/png', contentLength: 1, expiresInSeconds: 60 });
    expect(address).toContain(`X-Amz-Credential=${s3AccessKeyId}%2F`);
    await store.close();
  });
});
