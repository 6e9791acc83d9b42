import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';

/** The blocks of a guide in one language, in their order. */
export function blocksOf(guide: string, language: 'sh' | 'js' | 'html'): string[] {
  const text = fs.readFileSync(path.join(WORKSPACE, guide), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block]) => block as string,
  );
}

/** Runs the program that a guide shows, in a folder with these files. */
export function runProgram(
  guide: string,
  files: Record<string, string>,
  args: string[],
): { status: number | null; output: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'program-'));
  fs.writeFileSync(path.join(folder, 'program.mjs'), blocksOf(guide, 'js')[0] as string);
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['program.mjs', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  fs.rmSync(folder, { recursive: true, force: true });
  return { status, output: (stdout + stderr).trim() };
}

/** Runs commands in one shell in a folder; answers what they print. The signal ends them. */
export async function runShell(
  lines: string[],
  options: { folder: string; env: Record<string, string | undefined>; signal?: AbortSignal },
): Promise<{ status: number; output: string }> {
  const script = path.join(options.folder, 'run.sh');
  fs.writeFileSync(script, lines.join('\n'));
  const child = spawn('bash', ['-e', script], {
    cwd: options.folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env },
  });
  options.signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  return { status, output };
}
