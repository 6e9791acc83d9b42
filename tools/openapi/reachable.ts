/** The schemas that a description refers to, directly or through others. */
export function only<S extends object>(schemas: Record<string, S>, ...from: unknown[]): Record<string, S> {
  const reached = new Set<string>();
  const visit = (text: string) => {
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || reached.has(name)) continue;
      reached.add(name);
      visit(JSON.stringify(schemas[name] ?? {}));
    }
  };
  visit(JSON.stringify(from));
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => reached.has(name)));
}
