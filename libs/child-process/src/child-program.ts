import { besideBundle } from './beside-bundle.ts';

/** Where tests and tools, which run from the sources and have no bundle, say how a child's program is had: `(name) => file`. */
export const FROM_SOURCES = Symbol.for('@constancia/child-process/from-sources');

/**
 * The file of a program that another one starts as a process or thread of its own: `<name>.js` beside the bundle that `moduleUrl`
 * belongs to. Throws when it is not there.
 */
export async function childProgram(moduleUrl: string, name: string): Promise<string> {
  const beside = besideBundle(moduleUrl, `${name}.js`);
  if (beside) return beside;
  const fromSources = (globalThis as { [FROM_SOURCES]?: (name: string) => Promise<string> })[FROM_SOURCES];
  if (!fromSources) throw new Error(`${name}.js is missing beside the bundle`);
  return fromSources(name);
}
