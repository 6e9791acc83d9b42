import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { sleep } from '@constancia/kernel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics, opsServer, type OpsServer } from './index.ts';
import { Operators } from './operators.ts';

const ANA = 'ana-has-a-token-of-32-random-bytes';
const BEA = 'bea-has-another-one-of-32-bytes-too';
const entry = (name: string, token: string, roles: string[]) => ({
  name,
  sha256: createHash('sha256').update(token).digest('hex'),
  roles,
});

let folder: string;
let file: string;
let server: OpsServer | undefined;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'operators-'));
  file = path.join(folder, 'operators.json');
  fs.writeFileSync(file, JSON.stringify([entry('ana', ANA, ['read', 'act']), entry('bea', BEA, ['read'])]));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  fs.rmSync(folder, { recursive: true });
});

describe('an operator', () => {
  it('whose token was the last one in the file is refused once the list is empty', async () => {
    const operators = new Operators({ tokensFile: file });
    fs.writeFileSync(file, '[]');
    await sleep(1_050);
    expect([operators.find(ANA), operators.find(BEA)]).toEqual([undefined, undefined]);
    expect(operators.any).toBe(true);
  });

  it('is refused also when the changed file has the same size and modification time', async () => {
    const modifiedAt = new Date('2026-01-01T00:00:00Z');
    fs.utimesSync(file, modifiedAt, modifiedAt);
    const operators = new Operators({ tokensFile: file });
    fs.writeFileSync(
      file,
      fs
        .readFileSync(file, 'utf8')
        .replace('ana', 'eva')
        .replace(/"sha256":"./, '"sha256":"0'),
    );
    fs.utimesSync(file, modifiedAt, modifiedAt);
    await sleep(1_050);
    expect(operators.find(ANA)).toBeUndefined();
  });

  it('keeps the token while the file is invalid or missing, which is logged, and the next good one counts', async () => {
    const error = vi.fn();
    const operators = new Operators({ tokensFile: file, logger: { error } });
    fs.writeFileSync(file, 'no JSON');
    await sleep(1_050);
    expect(operators.find(ANA)?.name).toBe('ana');
    expect(error).toHaveBeenCalledTimes(1);
    fs.rmSync(file);
    await sleep(1_050);
    expect(operators.find(ANA)?.name).toBe('ana');
    expect(error).toHaveBeenCalledTimes(2);
    fs.writeFileSync(file, JSON.stringify([entry('bea', BEA, ['read'])]));
    await sleep(1_050);
    expect([operators.find(ANA), operators.find(BEA)?.name]).toEqual([undefined, 'bea']);
  });

  it('is refused after a reload that failed to read the file is repeated', async () => {
    const operators = new Operators({ tokensFile: file, logger: { error: vi.fn() } });
    fs.writeFileSync(file, JSON.stringify([entry('bea', BEA, ['read'])]));
    const read = vi.spyOn(fs, 'readFileSync').mockImplementationOnce(() => {
      throw new Error('EMFILE: too many open files');
    });
    await sleep(1_050);
    expect(operators.find(ANA)?.name).toBe('ana');
    await sleep(1_050);
    expect(operators.find(ANA)).toBeUndefined();
    read.mockRestore();
  });
});

describe('a file of tokens', () => {
  it.each<[string, unknown]>([
    ['nobody in it', []],
    ['an object instead of a list', { ana: ANA }],
    ['a token itself', [{ name: 'ana', sha256: ANA, roles: ['read'] }]],
    ['an unknown role', [entry('ana', ANA, ['read', 'root'])]],
    ['no role', [entry('ana', ANA, [])]],
    ['the same name twice', [entry('ana', ANA, ['read']), entry('ana', BEA, ['read'])]],
    ['one token for two people', [entry('ana', ANA, ['read']), entry('bea', ANA, ['read'])]],
    ['an invalid name', [entry('Ana María', ANA, ['read'])]],
  ])('with %s is refused at start', (_, list) => {
    fs.writeFileSync(file, JSON.stringify(list));
    expect(() => new Operators({ tokensFile: file })).toThrow(/OPS_TOKENS_FILE .*: it must be a JSON list like/);
  });

  it('that is not there is refused at start', () => {
    expect(() => new Operators({ tokensFile: path.join(folder, 'x') })).toThrow(/OPS_TOKENS_FILE cannot be read/);
  });
});

describe('the ops port', () => {
  it.each([
    ['127.0.0.1:9090', 200],
    ['[::1]:9090', 200],
    ['10.42.0.7:9090', 200],
    ['localhost', 200],
    ['ops.bank.example:9090', 200],
    ['evil.example', 421],
    ['localhost.evil.example:9090', 421],
    ['x@localhost', 421],
  ])('called %s answers %i', async (host, status) => {
    const metrics = new Metrics({ app: 'spec' });
    server = await opsServer({ port: 0, readiness: {}, metrics, tokensFile: file, hosts: ['ops.bank.example'] });
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const options = { port: server?.port, host: '127.0.0.1', path: '/livez', headers: { host } };
      http.get(options, (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    expect(answered).toBe(status);
  });
});
