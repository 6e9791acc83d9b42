import { describe, expect, it } from 'vitest';
import { openRecord, sealRecord } from '@constancia/kernel';
import { openObject, S3Store, sealedObjectKey, sealObject } from './index.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const PUT = { contentType: 'image/png', contentLength: 12_345, expiresInSeconds: 900 };

describe('an address of S3', () => {
  it.each([
    [{ region: 'sa-east-1' }, 'https://pictures.s3.sa-east-1.amazonaws.com/incoming/t/a'],
    [{ endpoint: 'http://127.0.0.1:9000', forcePathStyle: true }, 'http://127.0.0.1:9000/pictures/incoming/t/a'],
  ])('of %j binds method, key, type and length, for a time', async (options, place) => {
    const store = new S3Store({ bucket: 'pictures', credentials, ...options });
    const address = new URL(await store.presignPut('incoming/t/a', PUT));
    expect(`${address.origin}${address.pathname}`).toBe(place);
    expect(address.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host');
    expect(address.searchParams.get('X-Amz-Expires')).toBe('900');
    expect(address.searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
    await store.close();
  });

  it('is another for another length or type', async () => {
    const store = new S3Store({ bucket: 'pictures', credentials });
    const signature = async (put: typeof PUT) =>
      new URL(await store.presignPut('incoming/t/a', put)).searchParams.get('X-Amz-Signature');
    const all = [
      await signature(PUT),
      await signature({ ...PUT, contentLength: 12_346 }),
      await signature({ ...PUT, contentType: 'text/html' }),
    ];
    expect(new Set(all).size).toBe(3);
    await expect(store.presignPut('../x', PUT)).rejects.toThrow();
    await store.close();
  });
});

describe('a sealed object', () => {
  const name = { tenantId: 't', subjectId: 's', assetId: 'a', version: 1 };
  const key = Buffer.alloc(32, 9);

  it('opens as itself alone', () => {
    const sealed = sealObject(key, Buffer.from('picture'), name);
    expect(openObject(key, sealed, name).toString()).toBe('picture');
    for (const other of [{ tenantId: 'x' }, { subjectId: 'x' }, { assetId: 'x' }, { version: 2 }]) {
      expect(() => openObject(key, sealed, { ...name, ...other })).toThrow();
    }
    expect(() => openObject(Buffer.alloc(32, 8), sealed, name)).toThrow();
    expect(sealedObjectKey(name)).toBe('subjects/t/s/a.v1');
  });

  it('is a record when its context says so', () => {
    const sealed = sealRecord(key, name, 'subject', 'text');
    expect(openRecord(key, name, 'subject', sealed)).toBe('text');
    expect(() => openRecord(key, name, 'consent', sealed)).toThrow();
  });
});
