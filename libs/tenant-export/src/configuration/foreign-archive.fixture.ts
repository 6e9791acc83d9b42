import { buffer } from 'node:stream/consumers';
import { Archive } from '../archive.ts';
import { manifestOf, openConfiguration, sha256Of } from './configuration-files.ts';
import { ConfigurationKeys } from './configuration-key.ts';

/** The folder of a host as another deployment would have signed it, with changed files: undefined takes one out. Paths are in the folder. */
export async function foreignArchive(
  zip: Buffer,
  host: string,
  secretsKey: string,
  changes: Record<string, Buffer | string | undefined> = {},
): Promise<Buffer> {
  const { files } = await openConfiguration(zip, host);
  for (const [path, content] of Object.entries(changes)) {
    if (content === undefined) files.delete(path);
    else files.set(path, Buffer.from(content));
  }
  const listed = [...files].map(([path, content]) => ({
    ...{ path: `${host}/${path}`, bytes: content.length },
    sha256: sha256Of(content),
  }));
  const manifest = manifestOf(host, listed);
  const claims = { iss: 'https://elsewhere.example', tenant: 'elsewhere', iat: 1_790_000_000 };
  const token = await new ConfigurationKeys(secretsKey).sign({ ...claims, manifest_sha256: sha256Of(manifest) });
  const archive = Archive.reproducible();
  const read = buffer(archive.body);
  const all = [...files, ['manifest.json', manifest] as const, ['manifest.jws', Buffer.from(token)] as const];
  for (const [path, content] of all) await archive.add(`${host}/${path}`, [content], { compress: false });
  await archive.end();
  return read;
}
