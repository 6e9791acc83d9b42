import type { FaceEngine } from './face-engine.ts';
import type { LivenessEngine } from './liveness/liveness-engine.ts';

export interface FaceEngineFiles {
  /** Folder with the files of every model, as node_modules/@vladmandic/face-api/model has them: 12 MB. */
  modelPath: string;
}

/** Both engines of this machine. They share their nets, and may be asked at the same time: calls queue up on the one thread. */
export interface LocalFaceEngines {
  faces: FaceEngine;
  liveness: LivenessEngine;
}

/**
 * Loads the nets (12 MB of files, about 0.4 s, 200 MB of memory) from the folder and nothing from elsewhere; for a process of
 * their own, as they hold the thread for up to half a second at a time. Throws when a file is missing.
 */
export async function loadFaceEngine({ modelPath }: FaceEngineFiles): Promise<LocalFaceEngines> {
  // Not at the top: a module that only names a port or a threshold should not load the nets' runtime.
  const [{ Eyes }, { LocalFaceEngine }, { LocalLiveness }] = await Promise.all([
    import('./look.ts'),
    import('./local-engine.ts'),
    import('./liveness/local-liveness.ts'),
  ]);
  const eyes = await Eyes.open(modelPath);
  return { faces: new LocalFaceEngine(eyes), liveness: new LocalLiveness(eyes) };
}
