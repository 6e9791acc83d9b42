import { createHash } from 'node:crypto';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addOperatorToken } from './operator-token.ts';

function printed(...args: string[]): string[] {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const program = new Command().exitOverride();
  addOperatorToken(program);
  program.commands.forEach((command) => command.exitOverride().configureOutput({ writeErr: () => undefined }));
  program.parse(['token', ...args], { from: 'user' });
  return log.mock.calls.map(([line]) => line as string);
}

describe('npm run ops -- token', () => {
  afterEach(() => vi.restoreAllMocks());

  it('prints a token of 32 random bytes, and its entry, which has only the digest', () => {
    const [token = '', entry = ''] = printed('ana').map((line) => line.replace(/^token /, ''));
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const sha256 = createHash('sha256').update(token).digest('hex');
    expect(JSON.parse(entry)).toEqual({ name: 'ana', sha256, roles: ['read', 'act', 'grant'] });
  });

  it('takes some of the roles, each once', () => {
    expect(JSON.parse(printed('ana', '--roles', 'read, act,read')[1] ?? '')).toMatchObject({ roles: ['read', 'act'] });
  });

  it('refuses an unknown role, for which every process would refuse the whole file', () => {
    expect(() => printed('ana', '--roles', 'read,atc')).toThrow(/Roles are read, act, grant/);
  });
});
