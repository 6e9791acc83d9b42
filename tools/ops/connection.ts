import fs from 'node:fs';
import path from 'node:path';
import { PROCESSES, type ProcessName } from '@constancia/operations';
import { WORKSPACE } from '../build/sources.mjs';
import type { Words } from './words.ts';
import { WrongUse } from './failures.ts';

/** Where a process's ops port is, and what to show there. */
export interface OpsAddress {
  url: string;
  token: string;
}

/** The addresses that are known; a process may be missing when only some ports were forwarded. */
export type OpsAddresses = Partial<Record<ProcessName, OpsAddress>>;

interface OpsFile {
  token: string;
  urls: Partial<Record<string, string>>;
}

/** What the launcher writes for this command. */
export const OPS_FILE = path.join(WORKSPACE, '.local/ops.json');

const variable = (kind: 'URL' | 'TOKEN', name: ProcessName): string => `OPS_${kind}_${name.toUpperCase()}`;

/**
 * From the environment when it says anything (OPS_URL_PLATFORM…, OPS_TOKEN or a token per module, OPS_TOKEN_PLATFORM…): nothing of the
 * local stack's is mixed in then, so that no command meant for a deployment ends up here. Otherwise from `.local/ops.json`.
 */
export function opsAddresses(env: NodeJS.ProcessEnv, words: Words, file: string = OPS_FILE): OpsAddresses {
  const urls = PROCESSES.filter((name) => env[variable('URL', name)]);
  const tokens = ['OPS_TOKEN', ...PROCESSES.map((name) => variable('TOKEN', name))].filter((name) => env[name]);
  if (urls.length === 0 && tokens.length === 0) return addressesInFile(file, words);
  if (urls.length === 0) throw new WrongUse(words.noAddress(tokens.join(', ')));
  return Object.fromEntries(
    urls.map((name) => {
      const token = env[variable('TOKEN', name)] ?? env.OPS_TOKEN;
      if (!token) throw new WrongUse(words.noToken(variable('URL', name), variable('TOKEN', name)));
      return [name, { url: originOf(env[variable('URL', name)] as string, variable('URL', name), words), token }];
    }),
  );
}

function originOf(text: string, name: string, words: Words): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new WrongUse(words.badAddress(name, text));
  return text.replace(/\/+$/, '');
}

function addressesInFile(file: string, words: Words): OpsAddresses {
  let kept: OpsFile;
  try {
    kept = JSON.parse(fs.readFileSync(file, 'utf8')) as OpsFile;
  } catch {
    throw new WrongUse(words.noConnection);
  }
  const { token, urls } = kept;
  return Object.fromEntries(
    PROCESSES.flatMap((name) => (urls[name] === undefined ? [] : [[name, { url: urls[name], token }]])),
  );
}
