import { spawn, spawnSync } from 'node:child_process';

/** A program that this check needs is not installed, or it failed. */
export class CheckFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CheckFailed';
  }
}

/** Runs a program and gives what it printed. Throws CheckFailed with its last words. `quiet: false` shows them as they come. */
export async function command(
  program: string,
  args: readonly string[],
  { env = process.env, quiet = true }: { env?: NodeJS.ProcessEnv; quiet?: boolean } = {},
): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let words = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    words = `${words}${chunk.toString()}`.slice(-4_000);
    if (!quiet) process.stderr.write(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    words = `${words}${chunk.toString()}`.slice(-4_000);
    if (!quiet) process.stderr.write(chunk);
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(new CheckFailed(`${program}: ${error.message}`)));
    child.once('close', resolve);
  });
  if (status !== 0) throw new CheckFailed(`${program} ${args[0] ?? ''} ended with ${status}:\n${words.trim()}`);
  return out;
}

/** Names the programs that are not on the PATH. */
export function missing(programs: readonly string[]): string[] {
  return programs.filter((program) => spawnSync('which', [program]).status !== 0);
}
