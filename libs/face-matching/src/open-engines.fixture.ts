import path from 'node:path';
import { loadFaceEngine } from './load-engine.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The engines, with nets and wasm from the packages they come in. */
export const openEngines = () =>
  loadFaceEngine({
    modelPath: path.join(ROOT, 'node_modules/@vladmandic/face-api/model'),
    wasmPath: path.join(ROOT, 'node_modules/@tensorflow/tfjs-backend-wasm/dist'),
  });
