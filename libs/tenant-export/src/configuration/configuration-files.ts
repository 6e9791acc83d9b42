import { createHash } from 'node:crypto';
import { parseJsonBody } from '@constancia/http';
import { canonicalJson } from '@constancia/kernel';
import { BadRequest, type FieldError, ValidationError } from '@constancia/problem-json';
import { type ManifestToken, readManifestToken } from './configuration-key.ts';
import { ZIP_LIMITS, zipEntries, type ZipEntry, ZipRefused } from './zip-entries.ts';

/** Rises when a reader of the format before would misread an archive. */
const FORMAT_VERSION = 1;

/** A file of the manifest. */
export interface ManifestFile {
  path: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

export const sha256Of = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** JSON as archives have it: members sorted, two spaces, so that the same content is the same bytes. */
export const archivedJson = (content: object): Buffer =>
  Buffer.from(`${JSON.stringify(JSON.parse(canonicalJson(content)), null, 2)}\n`);

export const manifestOf = (host: string, files: ManifestFile[]): Buffer =>
  archivedJson({ format_version: FORMAT_VERSION, host, files });

/** The folder of a host in an archive, as it was exported. */
export interface OpenedConfiguration {
  /** By their paths in the folder. */
  files: Map<string, Buffer>;
  /** The paths of all files of the archive, those of other hosts too. */
  paths: ReadonlySet<string>;
  signedBy: ManifestToken & { keyId: string };
}

/**
 * Reads the folder of a host: the manifest is as it was signed, and every file as the manifest says, with none more or less. Whether the key
 * is to be trusted is for the caller. Throws ValidationError.
 */
export async function openConfiguration(zip: Buffer, host: string): Promise<OpenedConfiguration> {
  try {
    const entries = zipEntries(zip);
    const files = await contentsOf(entries.filter(({ name }) => name.startsWith(`${host}/`)));
    const read = (name: string): Buffer => {
      const path = `${host}/${name}`;
      const content = files.get(path);
      if (!content)
        throw refused(`/${path}`, 'required', `The archive has no part for the ${host} host: ${path} is missing.`);
      files.delete(path);
      return content;
    };
    const [manifest, token] = [read('manifest.json'), read('manifest.jws')];
    const signedBy = await readManifestToken(token.toString());
    if (signedBy?.manifest_sha256 !== sha256Of(manifest)) {
      throw refused(
        `/${host}/manifest.jws`,
        'wrong_signature',
        'The signature is not that of manifest.json: export it again.',
      );
    }
    requireListed(host, jsonOf<Manifest>(manifest, `${host}/manifest.json`), files);
    const inFolder = [...files].map(([path, content]): [string, Buffer] => [path.slice(host.length + 1), content]);
    return { files: new Map(inFolder), paths: new Set(entries.map(({ name }) => name)), signedBy };
  } catch (error) {
    throw error instanceof ZipRefused ? refused('', 'wrong_format', error.message) : error;
  }
}

interface Manifest {
  format_version?: unknown;
  host?: unknown;
  files?: (ManifestFile | null)[];
}

/** Values of one file; the largest rule set has fewer. */
const MOST_VALUES = 1_000_000;

/** A JSON object of a file, by the rules of bodies. Throws ValidationError. */
export function jsonOf<Content extends object = object>(bytes: Buffer, path: string): Content {
  let content: unknown;
  try {
    content = parseJsonBody(bytes, MOST_VALUES);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    throw refused(`/${path}`, 'wrong_format', error.detail.replace('The body', 'The file'));
  }
  if (typeof content === 'object' && content !== null) return content as Content;
  throw refused(`/${path}`, 'wrong_format', 'Must be a JSON object.');
}

/** One after the other: the total size is checked before each one is unpacked. */
async function contentsOf(entries: ZipEntry[]): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  let bytes = 0;
  for (const entry of entries) {
    bytes += entry.bytes;
    if (bytes > ZIP_LIMITS.bytes) throw new ZipRefused('The files of the ZIP have more than 50 MB.');
    files.set(entry.name, await entry.content());
  }
  return files;
}

function requireListed(host: string, manifest: Manifest, files: Map<string, Buffer>): void {
  const at = `/${host}/manifest.json`;
  if (manifest.format_version !== FORMAT_VERSION || manifest.host !== host || !Array.isArray(manifest.files)) {
    throw refused(at, 'wrong_format', `Must be of format ${FORMAT_VERSION} and of the host ${host}.`);
  }
  const listed = new Map(manifest.files.map((file) => [String(file?.path), file?.sha256]));
  const wrong = [...new Set([...listed.keys(), ...files.keys()])].filter((path) => {
    const content = files.get(path);
    return content === undefined || sha256Of(content) !== listed.get(path);
  });
  const detail = 'Is not as the signed manifest says: it is missing, was added or was changed. Export it again.';
  if (wrong.length > 0) throw new ValidationError(wrong.map((path) => error(`/${path}`, 'wrong_digest', detail)));
}

const error = (pointer: string, code: string, detail: string): FieldError => ({ pointer, code, detail });

const refused = (...args: [string, string, string]) => new ValidationError([error(...args)]);
