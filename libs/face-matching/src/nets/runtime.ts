import * as tf from '@tensorflow/tfjs-core';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';

let started: Promise<void> | undefined;

/** Starts the WebAssembly backend from files in `wasmPath`; once in a process. Nothing is fetched from elsewhere. */
export function startBackend(wasmPath: string): Promise<void> {
  started ??= (async () => {
    setWasmPaths(wasmPath.endsWith('/') ? wasmPath : `${wasmPath}/`);
    if (!(await tf.setBackend('wasm'))) throw new Error(`The WebAssembly backend did not start from ${wasmPath}.`);
    await tf.ready();
  })();
  return started;
}
