import fs from 'node:fs';

/** The variables of an .env file that create-env.mjs wrote. */
export function variablesIn(file: string): Record<string, string> {
  const lines = fs.readFileSync(file, 'utf8').matchAll(/^(\w+)=(?:'([^']*)'|)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name as string, value ?? '']));
}

/** A value of the compose file with the variables of .env in it, as Compose fills them in. Throws when one is empty that must not be. */
export function filledIn(value: string, env: Readonly<Record<string, string>>): string {
  return value.replace(/\$\{(\w+)(:\?[^}]*|:-)\}/g, (_, name: string, otherwise: string) => {
    if (otherwise !== ':-' && !env[name]) throw new Error(`${name} is empty`);
    return env[name] ?? '';
  });
}
