import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ValidationError } from '@constancia/problem-json';
import { describe, expect, it } from 'vitest';
import { Archive } from '../archive.ts';
import { archivedJson, manifestOf, openConfiguration, sha256Of } from './configuration-files.ts';
import { ConfigurationKeys } from './configuration-key.ts';
import { ZIP_LIMITS } from './zip-entries.ts';

const KEYS = new ConfigurationKeys(randomBytes(32).toString('base64'));
const FLOW = 'platform/flows/onboarding.default.json';

type Files = Record<string, Buffer | string>;

async function zipped(files: Files, { compress = false } = {}): Promise<Buffer> {
  const archive = Archive.reproducible();
  const read = buffer(archive.body);
  for (const [path, content] of Object.entries(files)) await archive.add(path, [Buffer.from(content)], { compress });
  await archive.end();
  return read;
}

/** The files of an archive with one flow, as the platform would sign it, or with other files. */
async function signed(listed: Files = { [FLOW]: archivedJson({ code: 'default' }) }): Promise<Files> {
  const manifest = manifestOf(
    'platform',
    Object.entries(listed).map(([path, content]) => ({ path, bytes: content.length, sha256: sha256Of(content) })),
  );
  const claims = { iss: 'https://api.example', tenant: 'notaria', iat: 1_790_000_000 };
  const token = await KEYS.sign({ ...claims, manifest_sha256: sha256Of(manifest) });
  return { ...listed, 'platform/manifest.json': manifest, 'platform/manifest.jws': token };
}

const faultsOf = async (zip: Buffer | Promise<Buffer>): Promise<[string, string][]> => {
  const failure = await openConfiguration(await zip, 'platform').catch((error: unknown) => error);
  if (!(failure instanceof ValidationError)) throw new Error('it was opened', { cause: failure });
  return failure.errors.map(({ pointer, code }) => [pointer, code]);
};

describe('an archive of a configuration', () => {
  it('is read as it was signed, also when it was packed again, beside the folders of other hosts', async () => {
    const files = { ...(await signed()), 'signing/manifest.json': '{}', 'readme.txt': 'x' };
    for (const compress of [false, true]) {
      const { files: opened, signedBy, paths } = await openConfiguration(await zipped(files, { compress }), 'platform');
      expect([...opened.keys()]).toEqual(['flows/onboarding.default.json']);
      expect(paths).toContain('signing/manifest.json');
      expect(signedBy).toMatchObject({ keyId: KEYS.id, tenant: 'notaria' });
    }
  });

  it('is the same bytes for the same content', async () => {
    const files = await signed({ [FLOW]: archivedJson({ b: 1, a: [{ d: 2, c: 3 }] }) });
    expect(files[FLOW]).toEqual(archivedJson({ a: [{ c: 3, d: 2 }], b: 1 }));
    expect(await zipped(files)).toEqual(await zipped(files));
  });

  it('is refused when a file was changed, added or taken out', async () => {
    const files = await signed();
    expect(await faultsOf(zipped({ ...files, [FLOW]: '{}' }))).toEqual([[`/${FLOW}`, 'wrong_digest']]);
    expect(await faultsOf(zipped({ ...files, 'platform/flows/x.json': '{}' }))).toEqual([
      ['/platform/flows/x.json', 'wrong_digest'],
    ]);
    const { [FLOW]: _, ...rest } = files;
    expect(await faultsOf(zipped(rest))).toEqual([[`/${FLOW}`, 'wrong_digest']]);
  });

  it('is refused when the manifest is not the signed one, or nothing signs it', async () => {
    const files = await signed();
    const other = await signed({ [FLOW]: '{}' });
    const manifest = other['platform/manifest.json'] as Buffer;
    const wrong = [['/platform/manifest.jws', 'wrong_signature']];
    expect(await faultsOf(zipped({ ...files, [FLOW]: '{}', 'platform/manifest.json': manifest }))).toEqual(wrong);
    const token = String(files['platform/manifest.jws']);
    for (const forged of ['', 'a.b.c', `${token.slice(0, -4)}AAAA`, token.replace(/^[^.]+/, 'e30')]) {
      expect(await faultsOf(zipped({ ...files, 'platform/manifest.jws': forged }))).toEqual(wrong);
    }
    const { 'platform/manifest.jws': _, ...unsigned } = files;
    expect(await faultsOf(zipped(unsigned))).toEqual([['/platform/manifest.jws', 'required']]);
    expect(await faultsOf(zipped({ 'signing/manifest.json': '{}' }))).toEqual([
      ['/platform/manifest.json', 'required'],
    ]);
  });

  it('is refused when it is no ZIP, is cut off, or has too many files', async () => {
    const zip = await zipped(await signed());
    const whole = [['', 'wrong_format']];
    expect(await faultsOf(Buffer.from('%PDF-1.7'))).toEqual(whole);
    expect(await faultsOf(zip.subarray(40))).toEqual(whole);
    expect(await faultsOf(Buffer.concat([zip.subarray(0, 60), zip.subarray(zip.length - 22)]))).toEqual(whole);
    const many = Array.from({ length: ZIP_LIMITS.entries + 1 }, (_, nth) => [`x/${nth}`, '']);
    expect(await faultsOf(zipped(Object.fromEntries(many) as Files))).toEqual(whole);
  });

  it('unpacks no more than its directory states, and 50 MB in all', async () => {
    const zip = await zipped({ 'platform/manifest.json': Buffer.alloc(4 * 1024 * 1024) }, { compress: true });
    const central = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    for (const stated of [100, ZIP_LIMITS.bytes + 1]) {
      const lying = Buffer.from(zip);
      lying.writeUInt32LE(stated, central + 24);
      expect(await faultsOf(lying)).toEqual([['', 'wrong_format']]);
    }
  });
});

describe('the keys of a deployment', () => {
  it('are the same for its hosts, and a former SECRETS_KEY is still known', () => {
    const [current, former] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const keys = new ConfigurationKeys(`${current}, ${former}`);
    expect(keys.id).toBe(new ConfigurationKeys(current).id);
    expect(keys.has(new ConfigurationKeys(former).id)).toBe(true);
    expect(keys.has(KEYS.id)).toBe(false);
  });
});
