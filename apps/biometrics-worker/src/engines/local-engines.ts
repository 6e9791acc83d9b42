import { createRequire } from 'node:module';
import path from 'node:path';
import { LocalDocumentReader, READER_WASM } from '@constancia/document-reading';
import { loadFaceEngine } from '@constancia/face-matching';
import { besideBundle } from '@constancia/child-process';
import type { StepEngines } from './engine-job.ts';

const { resolve } = createRequire(import.meta.url);

/** A folder that was laid beside the bundle; in the repository, the package's own. */
function folderOf(name: 'models' | 'wasm', packaged: string): string {
  return besideBundle(import.meta.url, name) ?? path.dirname(resolve(packaged));
}

/** The engines of this machine, their models loaded. Throws when a file is missing. */
export async function localEngines(): Promise<StepEngines> {
  const beside = besideBundle(import.meta.url, 'wasm');
  const documents = new LocalDocumentReader(beside ? { wasmPath: path.join(beside, READER_WASM) } : {});
  const modelPath = folderOf('models', '@vladmandic/face-api/model/face_recognition_model.bin');
  return { documents, ...(await loadFaceEngine({ modelPath })) };
}
