import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { staticFile, type StaticFile } from './static-file.ts';

const gzipped = promisify(gzip);

const TEXT = new Set(['.html', '.css', '.js', '.json', '.svg', '.txt']);
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
};
const OTHER = 'application/octet-stream';
/** Smaller than a packet: nothing is won. */
const LEAST_GZIPPED_BYTES = 1_024;

/** A file as it goes out: its bytes, perhaps compressed. */
export interface PageFile extends StaticFile {
  encoding?: 'gzip' | 'br';
}

/**
 * The files of a built page. Found by their paths below the folder, which are read once: a path that is not one of them is no file,
 * whatever it says. Each is read, and compressed when that is worth it, when first asked for; `<file>.br` and `<file>.gz` beside it
 * are taken as they are.
 */
export class PageFiles {
  private names: Set<string> | undefined;
  private folder = '';
  private readonly kept = new Map<string, Promise<PageFile>>();

  /** @param folders the first that has an `index.html` is taken; it may also come later, when the page is built */
  constructor(private readonly folders: readonly string[]) {}

  /** Whether there is a page. */
  get present(): boolean {
    return this.listed() !== undefined;
  }

  /** The file of a path below the folder (`assets/sign-1a2b.js`), for a browser that takes these encodings; undefined: there is none. */
  async find(name: string, acceptEncoding = ''): Promise<PageFile | undefined> {
    const names = this.listed();
    if (names === undefined || !names.has(name)) return undefined;
    const takes = (encoding: string) => accepts(acceptEncoding, encoding);
    if (names.has(`${name}.br`) && takes('br')) return this.read(name, 'br');
    return this.read(name, TEXT.has(path.extname(name)) && takes('gzip') ? 'gzip' : undefined);
  }

  private listed(): Set<string> | undefined {
    if (this.names !== undefined) return this.names;
    const folder = this.folders.find((candidate) => fs.existsSync(path.join(candidate, 'index.html')));
    if (folder === undefined) return undefined;
    this.folder = folder;
    const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    this.names = new Set(entries.map(({ parentPath, name }) => path.posix.join(relative(folder, parentPath), name)));
    return this.names;
  }

  private read(name: string, encoding: PageFile['encoding']): Promise<PageFile> {
    const key = `${encoding ?? ''} ${name}`;
    const known = this.kept.get(key) ?? this.made(name, encoding);
    this.kept.set(key, known);
    known.catch(() => this.kept.delete(key));
    return known;
  }

  private async made(name: string, encoding: PageFile['encoding']): Promise<PageFile> {
    const type = TYPES[path.extname(name)] ?? OTHER;
    const file = (suffix = '') => readFile(path.join(this.folder, `${name}${suffix}`));
    if (encoding === 'br') return { ...staticFile(await file('.br'), type), encoding };
    const bytes = await file();
    if (encoding === undefined || bytes.length < LEAST_GZIPPED_BYTES) return staticFile(bytes, type);
    const compressed = this.names?.has(`${name}.gz`) ? await file('.gz') : await gzipped(bytes, { level: 9 });
    return { ...staticFile(compressed, type), encoding };
  }
}

function relative(folder: string, parent: string): string {
  return path.relative(folder, parent).split(path.sep).join('/');
}

/** Whether a browser takes an encoding (RFC 9110 §12.5.3), as far as browsers say it. */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    // Split, then trimmed: an expression for both would take the square of a header of spaces.
    const [name, ...parameters] = part
      .toLowerCase()
      .split(';')
      .map((each) => each.trim());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
