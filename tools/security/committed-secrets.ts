import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseApiKey } from '@constancia/auth';
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { WORKSPACE } from '../build/sources.mjs';

// It compares each mark with all before it: minutes of processor time for all files, while other tests wait.
secretLintProfiler.mark = () => undefined;

/** A secret in a file: what it is, and where. Never the secret itself. */
export interface FoundSecret {
  file: string;
  line: number;
  what: string;
}

/** Larger files are data: pictures, models, fonts. */
const LARGEST = 2 * 1024 * 1024;

/** What the preset does not know. An API key is one only when its checksum is right, so that invented ones may stand in texts. */
const OWN: readonly [what: string, pattern: RegExp, is: (text: string) => boolean][] = [
  ['an API key', /\b(?:test|live)_[0-9A-Za-z]{49}\b/g, (text) => parseApiKey(text) !== null],
  ['a webhook secret', /\bwhsec_[A-Za-z0-9+/]{43}=/g, looksRandom],
  ["a proof of an owner's address", /\bown_[0-9A-Za-z]{43}\b/g, looksRandom],
  // The preset misses those that end in + or /.
  ['a secret key of AWS', /\baws_?secret_?access_?key\W{1,5}[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/gi, looksRandom],
  ['a recovery token', /\brec_[0-9A-Za-z]{43}\b/g, looksRandom],
];

/** Written by nobody: 32 random bytes in base64 or base62 have more than 20 different characters. */
function looksRandom(text: string): boolean {
  return new Set(text.slice(text.indexOf('_') + 1)).size > 20;
}

/** The files that the repository holds. */
export function committedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: WORKSPACE, maxBuffer: 64 * 1024 * 1024 });
  return listed
    .toString('utf8')
    .split('\0')
    .filter((file) => file !== '' && fs.existsSync(path.join(WORKSPACE, file)));
}

/** Looks through one file; binary ones have no lines and are left out. */
export async function secretsIn(file: string, content: Buffer): Promise<FoundSecret[]> {
  if (content.length > LARGEST || content.includes(0)) return [];
  const text = content.toString('utf8');
  const lineAt = (index: number) => text.slice(0, index).split('\n').length;
  const own = OWN.flatMap(([what, pattern, is]) =>
    [...text.matchAll(pattern)]
      .filter(([match]) => is(match))
      .map(({ index }) => ({ file, line: lineAt(index), what })),
  );
  const { messages } = await lintSource({
    source: { filePath: file, content: text, ext: path.extname(file), contentType: 'text' },
    options: { config: { rules: [{ id: 'preset', rule: creator, rules: [] }] }, maskSecrets: true },
  });
  const known = messages.map(({ range, ruleId }) => ({ file, line: lineAt(range[0]), what: ruleId }));
  return [...own, ...known];
}

/** Looks through the whole repository. */
export async function committedSecrets(): Promise<FoundSecret[]> {
  const found: FoundSecret[] = [];
  for (const file of committedFiles())
    found.push(...(await secretsIn(file, fs.readFileSync(path.join(WORKSPACE, file)))));
  return found;
}
