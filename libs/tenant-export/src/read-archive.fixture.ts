import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';

export interface ReadManifest {
  format_version: number;
  host: string;
  tenant: { id: string; slug: string; environment: string };
  exported_by: { kind: string; id: string; name: string };
  snapshots: { module: string; at: string }[];
  missing: string[];
  files: { path: string; bytes: number; sha256: string; rows?: number }[];
}

export interface ReadArchive {
  manifest: ReadManifest;
  /** By path, in the order of the archive. */
  files: Map<string, Buffer>;
  /** The lines of a file. */
  lines<Line = Record<string, unknown>>(name: string): Line[];
}

/** Reads an archive with another program's code, and holds every file to the manifest. */
export async function readArchive(bytes: Buffer): Promise<ReadArchive> {
  const files = await readEntries(bytes);
  const names = [...files.keys()];
  if (names.at(-1) !== 'manifest.json') throw new Error('the manifest is not the last file');
  const manifest = JSON.parse(String(files.get('manifest.json'))) as ReadManifest;
  const found = names.slice(0, -1).map((path) => {
    const content = files.get(path) as Buffer;
    const rows = path.endsWith('.ndjson') ? { rows: content.toString().split('\n').length - 1 } : {};
    return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex'), ...rows };
  });
  if (JSON.stringify(found) !== JSON.stringify(manifest.files))
    throw new Error('the files are not as the manifest says');
  return {
    manifest,
    files,
    lines: <Line>(name: string) =>
      String(files.get(`${name}.ndjson`))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line),
  };
}

/** The files of any ZIP. */
export async function readEntries(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const files = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject).on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        buffer(stream).then((content) => {
          files.set(entry.fileName, content);
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
  return files;
}
