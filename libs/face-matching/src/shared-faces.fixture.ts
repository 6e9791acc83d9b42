import fs from 'node:fs';
import path from 'node:path';
import { loadFaceEngine } from './load-engine.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Photos of public figures, beside the repository and never in it. */
const FOLDER = path.resolve(ROOT, '../shared/faces');
export const hasFaces = fs.existsSync(path.join(FOLDER, 'master.csv'));

export const photo = (file: string): Buffer => fs.readFileSync(path.join(FOLDER, file));

export interface LabelledPair {
  one: string;
  other: string;
  same: boolean;
}

/** The 300 pairs, as labelled. */
export function labelledPairs(): LabelledPair[] {
  const [, ...lines] = fs.readFileSync(path.join(FOLDER, 'master.csv'), 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => {
    const [one = '', other = '', decision] = line.split(',');
    return { one, other, same: decision === 'Yes' };
  });
}

/** The engines, with nets and wasm from the packages they come in. */
export const openEngines = () =>
  loadFaceEngine({
    modelPath: path.join(ROOT, 'node_modules/@vladmandic/face-api/model'),
    wasmPath: path.join(ROOT, 'node_modules/@tensorflow/tfjs-backend-wasm/dist'),
  });
