import type { Variable } from './env.ts';
import { cleartextProblem, type Connection } from './cleartext.ts';
import { keyProblem, tokenProblem } from './weak-secrets.ts';

/** A variable that is set, as it was read. */
export interface Setting {
  variable: Variable;
  text: string;
}

/**
 * What production rejects: keys and tokens that can be guessed or have two purposes, and unencrypted connections that are not accepted
 * explicitly. One sentence each: the setting, what is wrong, what to do; never a value.
 */
export function productionProblems(settings: readonly Setting[], accepted: readonly string[]): string[] {
  return [...settings.flatMap((setting) => problemsOf(setting, accepted)), ...reused(settings)];
}

function problemsOf({ variable, text }: Setting, accepted: readonly string[]): string[] {
  const { name, holds } = variable;
  const problem = {
    keys: () => keyProblem(text),
    token: () => tokenProblem(text),
    postgres: () => cleartext('postgres'),
    redis: () => cleartext('redis'),
    smtp: () => cleartext('smtp'),
    s3: () => cleartext('s3'),
  };
  const cleartext = (connection: Connection) =>
    accepted.includes(connection) ? undefined : cleartextProblem(connection, text);
  const found = holds && problem[holds]();
  return found === undefined ? [] : [`${name} ${found}`];
}

/** A leaked key must not serve two purposes. */
function reused(settings: readonly Setting[]): string[] {
  const users = new Map<string, string[]>();
  for (const { variable, text } of settings) {
    if (variable.holds !== 'keys' && variable.holds !== 'token') continue;
    for (const value of text.split(',')) users.set(value.trim(), [...(users.get(value.trim()) ?? []), variable.name]);
  }
  return [...users.values()].flatMap((names) => {
    const [first, second] = names;
    if (second === undefined) return [];
    return first === second
      ? [`${first} names the same key twice in production: leave one of them out`]
      : [`${first} has the same value as ${second} in production: generate a value of its own for each`];
  });
}
