import fs from 'node:fs';
import path from 'node:path';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { opsProgram } from './program.ts';

const RUNBOOKS = 'deploy/runbooks';

const pagesUnder = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join(folder, file));

const PAGES = ['README.md', ...pagesUnder('docs'), ...pagesUnder(RUNBOOKS)];

/** The words of a command as a shell would split it, up to where the command ends. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (const sign of text) {
    if (quote !== '') {
      if (sign === quote) quote = '';
      else word += sign;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= '';
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if ('`|;&)'.includes(sign) || (sign === '#' && word === undefined)) {
      break;
    } else {
      word = (word ?? '') + sign;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** Every command of the kind on a page; "…" and "<command>" in place of one is none. */
function commandsOn(text: string): string[][] {
  const joined = text.replace(/\\\n\s*/g, ' ');
  return [...joined.matchAll(/npm run (?:-s |--silent )?ops -- (?=([^\n]*))/g)]
    .map(([, rest]) => wordsOf(rest as string))
    .filter(([first]) => first !== undefined && !/^[…<]/.test(first));
}

/** What commander says against a command; undefined when it takes it. */
async function refusalOf(words: string[]): Promise<string | undefined> {
  const program = opsProgram(() => async () => {});
  let said = '';
  const silent = (command: typeof program): void => {
    command.configureOutput({ writeErr: (text) => (said += text), writeOut: () => {} });
    command.commands.forEach(silent);
  };
  silent(program);
  try {
    await program.parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.code === 'commander.helpDisplayed' ? undefined : said || error.code;
  }
}

describe('commands of npm run ops in the documentation', () => {
  it.each(
    PAGES.map((page) => ({ page, commands: commandsOn(fs.readFileSync(page, 'utf8')) })).filter(
      ({ commands }) => commands.length > 0,
    ),
  )('are ones that it takes: $page', async ({ commands }) => {
    for (const words of commands) expect(await refusalOf(words), words.join(' ')).toBeUndefined();
  });

  it('are in every runbook', () => {
    for (const page of pagesUnder(RUNBOOKS)) {
      expect(commandsOn(fs.readFileSync(page, 'utf8')).length, page).toBeGreaterThan(0);
    }
  });

  it('that it does not take are seen', async () => {
    expect(commandsOn('`npm run ops -- lag | head` and npm run -s ops -- --json replays show "a b" # so\n')).toEqual([
      ['lag'],
      ['--json', 'replays', 'show', 'a b'],
    ]);
    for (const wrong of [
      ['lags'],
      ['replays'],
      ['lag', '--all'],
      ['trace'],
      ['deliveries', 'list', '--status', 'lost'],
      ['endpoints', 'pause', 'whe_1'],
    ]) {
      expect(await refusalOf(wrong), wrong.join(' ')).toBeDefined();
    }
  });
});
