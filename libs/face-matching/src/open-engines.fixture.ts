import path from 'node:path';
import { loadFaceEngine } from './load-engine.ts';
import { Eyes } from './look.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const MODELS = path.join(ROOT, 'node_modules/@vladmandic/face-api/model');

/** The engines, with nets from the package they come in. */
export const openEngines = () => loadFaceEngine({ modelPath: MODELS });

/** The nets alone, from the same files. */
export const openEyes = () => Eyes.open(MODELS);
