import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { GreyImage } from '../image/grey-image.ts';
import type { Point } from '../image/homography.ts';

export const READER_WASM = 'zxing_reader.wasm';

export interface FoundBarcode {
  bytes: Uint8Array;
  corners: [Point, Point, Point, Point];
}

/** zxing_reader.wasm: the file given, the one beside the bundle, or the package's. */
function readerWasmPath(given?: string): string {
  if (given !== undefined) return given;
  const beside = path.join(path.dirname(fileURLToPath(import.meta.url)), READER_WASM);
  return fs.existsSync(beside) ? beside : createRequire(import.meta.url).resolve(`zxing-wasm/reader/${READER_WASM}`);
}

let prepared: string | null = null;

/** Loads the barcode reader once per process. */
export async function prepareBarcodes(wasmPath?: string): Promise<void> {
  const file = readerWasmPath(wasmPath);
  if (prepared === file) return;
  const binary = fs.readFileSync(file);
  const wasmBinary = binary.buffer.slice(binary.byteOffset, binary.byteOffset + binary.length) as ArrayBuffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  prepared = file;
}

/**
 * The first PDF417 of a picture whose rows run level (within about two degrees), either way up; null without one. `harder`
 * looks at more rows and costs twice the time.
 */
export async function readLevelPdf417(image: GreyImage, harder = false): Promise<FoundBarcode | null> {
  const { width, height, data } = image;
  const rgba = new Uint8ClampedArray(width * height * 4);
  const words = new Uint32Array(rgba.buffer);
  for (let at = 0; at < words.length; at++) words[at] = 0xff000000 | ((data[at] as number) * 0x010101);
  const found = await readBarcodes({ data: rgba, width, height } as Parameters<typeof readBarcodes>[0], {
    formats: ['PDF417'],
    tryHarder: harder,
    tryRotate: false,
    tryInvert: false,
    tryDownscale: false,
    maxNumberOfSymbols: 1,
    textMode: 'Plain',
  });
  const first = found.find(({ isValid }) => isValid);
  if (!first) return null;
  const { topLeft, topRight, bottomRight, bottomLeft } = first.position;
  return { bytes: first.bytes, corners: [topLeft, topRight, bottomRight, bottomLeft] };
}
