import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyData, freePort } from './cluster.ts';

it('no port is given twice, however long its owner takes to listen', async () => {
  const ports = [];
  for (let nth = 0; nth < 500; nth++) ports.push(await freePort());
  expect(new Set(ports).size).toBe(500);
});

it('data are copied with their modes, as a whole or not at all, and stay when somebody else was first', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'copied-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const [one, other, to] = ['one', 'other', 'copies/data'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const from of [one, other]) {
    fs.mkdirSync(from, { mode: 0o700 });
    fs.writeFileSync(path.join(from, 'PG_VERSION'), from);
  }
  expect(() => copyData(path.join(folder, 'missing'), to)).toThrow('could not be copied');
  copyData(one, to);
  copyData(other, to);
  expect(fs.readFileSync(path.join(to, 'PG_VERSION'), 'utf8')).toBe(one);
  expect(fs.statSync(to).mode & 0o777).toBe(0o700);
  expect(fs.readdirSync(path.dirname(to))).toEqual(['data']);
});
