import { childProgram } from '@constancia/kernel';

const PROGRAM = {
  name: 'pdf-child',
  entry: 'libs/pdf-sealing/src/pdf-child.ts',
  sources: ['libs/pdf-sealing/src', 'libs/kernel/src'],
};

/** The child's program: laid beside an app's bundle; in the repository (tests, tools), bundled at first use into dist/children. */
export function childBundle(): Promise<string> {
  return childProgram(import.meta.url, PROGRAM);
}
