import os from 'node:os';
import type { Locale, OpsRequest, Page } from '@constancia/operations';
import type { Command } from 'commander';
import { opsAddresses } from './connection.ts';
import { OpsClient } from './ops-client.ts';
import { type Column, table } from './table.ts';
import { WrongUse } from './failures.ts';
import { localeOf, type Words, wordsFor } from './words.ts';

/** What every command has, whatever it does. */
export interface GlobalFlags {
  json?: boolean;
  operator?: string;
}

const WIDEST = 120;
const NARROWEST = 100;

/** What a command works with: the processes, the reader's words, and where to write. */
export class OpsContext {
  constructor(
    private readonly client: OpsClient,
    readonly words: Words,
    readonly locale: Locale,
    readonly json: boolean,
    readonly width: number,
  ) {}

  /** @throws Refused, WrongUse */
  send<Answer>(request: OpsRequest<Answer>): Promise<Answer> {
    return this.client.send(request);
  }

  /** Lines for the reader; nothing with --json. */
  say(...lines: string[]): void {
    if (!this.json) for (const line of lines) console.log(line);
  }

  /** The answer of a process: as it is with --json, otherwise in the words of `lines`. */
  show<Answer>(answer: Answer, lines: (answer: Answer) => string[]): void {
    if (this.json) console.log(JSON.stringify(answer, null, 2));
    else for (const line of lines(answer)) console.log(line);
  }

  /** A page of rows, and how to see what comes after it. */
  async list<Row>(
    request: OpsRequest<Page<Row>>,
    columns: Column<Row>[],
    none: string = this.words.none,
  ): Promise<void> {
    this.show(await this.send(request), ({ data, next_cursor }) => [
      ...(data.length === 0 ? [none] : table(columns, data, this.width)),
      ...(next_cursor ? ['', this.words.more(data.length, next_cursor)] : []),
    ]);
  }
}

/** The context of a command line. @throws WrongUse when there is nobody to ask, or nobody who asks */
export function opsContextOf(flags: GlobalFlags, env: NodeJS.ProcessEnv = process.env): OpsContext {
  const words = wordsFor(env);
  const client = new OpsClient(opsAddresses(env, words), operatorOf(flags.operator, words), words);
  const columns = process.stdout.columns || WIDEST;
  return new OpsContext(
    client,
    words,
    localeOf(env),
    flags.json === true,
    Math.min(WIDEST, Math.max(NARROWEST, columns)),
  );
}

function operatorOf(given: string | undefined, words: Words): string {
  const name = given ?? userName();
  if (!/^[\x21-\x7e][\x20-\x7e]{0,127}$/.test(name)) throw new WrongUse(words.badOperator);
  return name;
}

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return ''; // a container's user may have no name
  }
}

/** Wraps what a command does into what commander calls: the context first, then the arguments and flags. */
export type Run = <Args extends unknown[]>(
  work: (context: OpsContext, ...args: Args) => Promise<void>,
) => (...all: [...Args, Command]) => Promise<void>;

/** Runs a command with its context. */
export function withOpsContext<Args extends unknown[]>(
  work: (context: OpsContext, ...args: Args) => Promise<void>,
): (...all: [...Args, Command]) => Promise<void> {
  return async (...all) => {
    const command = all.at(-1) as Command;
    await work(opsContextOf(command.optsWithGlobals()), ...(all.slice(0, -1) as unknown as Args));
  };
}
