import { childProgram } from '@constancia/kernel';

const PROGRAM = {
  name: 'engine-child',
  entry: 'apps/biometrics-worker/src/engines/engine-child.ts',
  sources: [
    'apps/biometrics-worker/src/engines',
    'libs/document-reading/src',
    'libs/face-matching/src',
    'libs/kernel/src',
  ],
  // Its native files cannot be in a bundle.
  external: [/^sharp$/],
};

/** The child's program: laid beside the app's bundle; in the repository (tests, tools), bundled at first use. */
export function engineChildProgram(): Promise<string> {
  return childProgram(import.meta.url, PROGRAM);
}
