import path from 'node:path';
import { loadFaceEngine } from './load-engine.ts';
import { Eyes } from './look.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const FILES = {
  modelPath: path.join(ROOT, 'node_modules/@vladmandic/face-api/model'),
  wasmPath: path.join(ROOT, 'node_modules/@tensorflow/tfjs-backend-wasm/dist'),
};

/** The engines, with nets and wasm from the packages they come in. */
export const openEngines = () => loadFaceEngine(FILES);

/** The nets alone, from the same files. */
export const openEyes = () => Eyes.open(FILES.modelPath, FILES.wasmPath);
