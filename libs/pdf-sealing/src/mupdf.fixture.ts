import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The second renderer, in addition to poppler: MuPDF. */
export const hasMupdf = spawnSync('mutool', ['-v']).error === undefined;

/** mutool also answers 1 for a page that it could draw only in part: what it wrote is what counts. */
const drawn = (pdf: Buffer, page: number, ...options: string[]) =>
  mutool(pdf, (file) => ['draw', '-q', ...options, file, String(page)]);

/** An object of the file as text, by its path from the trailer. */
export const mupdfShow = (pdf: Buffer, object: string) => mutool(pdf, (file) => ['show', file, object]).toString();

function mutool(pdf: Buffer, args: (file: string) => string[]): Buffer {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mupdf-'));
  try {
    const file = path.join(folder, 'a.pdf');
    fs.writeFileSync(file, pdf);
    const { stdout } = spawnSync('mutool', args(file), {
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return stdout;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

export const mupdfText = (pdf: Buffer, page: number) => drawn(pdf, page, '-F', 'txt').toString();

/** A page as grey pixels (0 black … 255 white), 72 per inch, of its CropBox. */
export function mupdfPixels(pdf: Buffer, page: number): { width: number; height: number; pixels: Buffer } {
  const pgm = drawn(pdf, page, '-r', '72', '-F', 'pgm', '-o', '-');
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pgm.toString('latin1', 0, 60));
  if (!head) return { width: 0, height: 0, pixels: Buffer.alloc(0) };
  return { width: Number(head[1]), height: Number(head[2]), pixels: pgm.subarray(head[0].length) };
}
