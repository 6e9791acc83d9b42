import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const installed = (program: string) =>
  spawnSync(program, ['-v']).error === undefined && spawnSync(program, ['--version']).error === undefined;

/** Other people's programs that read back what was drawn: poppler-utils and qpdf. */
export const readers = { poppler: installed('pdftotext'), qpdf: installed('qpdf') };

function withFile<T>(pdf: Buffer, work: (file: string) => T): T {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pdf-'));
  try {
    const file = path.join(folder, 'a.pdf');
    fs.writeFileSync(file, pdf);
    return work(file);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Exit code of qpdf --check: 0 clean, 3 warnings, 2 errors. */
export function qpdfCheck(pdf: Buffer): { code: number; output: string } {
  return withFile(pdf, (file) => {
    const { status, stdout, stderr } = spawnSync('qpdf', ['--check', file], { encoding: 'utf8' });
    return { code: status ?? -1, output: stdout + stderr };
  });
}

export function textOf(pdf: Buffer): string {
  return withFile(pdf, (file) => execFileSync('pdftotext', ['-layout', file, '-'], { stdio: 'pipe' }).toString());
}

/** What pdfsig says of the signatures; trust in a certificate is left out. */
export function pdfsig(pdf: Buffer): string {
  return withFile(pdf, (file) => {
    const { stdout, stderr } = spawnSync('pdfsig', ['-nocert', file], { encoding: 'utf8' });
    return stdout + stderr;
  });
}

export const validSignatures = (pdf: Buffer) => pdfsig(pdf).match(/Signature is Valid/g)?.length ?? 0;

/** A word as a viewer shows it: points from the lower-left corner of the shown page. */
export interface SeenWord {
  page: number;
  text: string;
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/**
 * The words of every page with their places. pdftotext -bbox measures from the upper-left corner of the shown page, and gives the
 * page's size without its rotation: `turned` says that width and height change places.
 */
export function wordsOf(
  pdf: Buffer,
  turned = false,
): { words: SeenWord[]; pages: { width: number; height: number }[] } {
  const html = withFile(pdf, (file) =>
    execFileSync('pdftotext', ['-bbox', '-cropbox', file, '-'], { stdio: 'pipe' }).toString(),
  );
  const pages: { width: number; height: number }[] = [];
  const words: SeenWord[] = [];
  const tag =
    /<page width="([\d.]+)" height="([\d.]+)">|<word xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">([^<]*)<\/word>/g;
  for (const [, width, height, left, top, right, bottom, text] of html.matchAll(tag)) {
    if (width !== undefined && height !== undefined) {
      const [shownWidth, shownHeight] = turned ? [height, width] : [width, height];
      pages.push({ width: Number(shownWidth), height: Number(shownHeight) });
    } else {
      const shown = (pages.at(-1) as { height: number }).height;
      words.push({
        page: pages.length,
        text: text as string,
        left: Number(left),
        right: Number(right),
        bottom: shown - Number(bottom),
        top: shown - Number(top),
      });
    }
  }
  return { words, pages };
}

/** A page as grey pixels (0 black … 255 white), so many per inch of what a viewer shows. */
export function pixelsOf(pdf: Buffer, page: number, perInch = 72): { width: number; height: number; pixels: Buffer } {
  return withFile(pdf, (file) => {
    const pgm = execFileSync(
      'pdftoppm',
      ['-f', `${page}`, '-l', `${page}`, '-r', `${perInch}`, '-gray', '-cropbox', file],
      {
        maxBuffer: 64 * 1024 * 1024,
        stdio: 'pipe',
      },
    );
    const [head, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pgm.toString('latin1', 0, 40)) as RegExpExecArray;
    return { width: Number(width), height: Number(height), pixels: pgm.subarray(head.length) };
  });
}
