import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { repeatingTimers } from './timers.ts';

/** Repeating timers outside the runner (PeriodicTask, libs/kernel), each with the reason. */
const EXCEPTIONS: Record<string, [timer: string, reason: string]> = {
  'libs/kernel/src/periodic-task.ts': ['setTimeout in schedule', 'the runner itself'],
  'libs/child-process/src/watch-parent.ts': ['setInterval', 'source text of a thread that cannot import anything'],
  'tools/chaos/receivers.ts': ['setInterval', 'a receiver that sends a byte at a time, to fail on command'],
  'tools/local/supervised.mjs': ['setTimeout in #died', 'starts a process again; runs before anything is installed'],
  'libs/kms/src/call-limit.ts': ['setTimeout in letThrough', 'wakes the next caller in line, and only while one waits'],
};

/** Pages in browsers, where nothing has to be drained, and what only tests start. */
const ELSEWHERE = /^apps\/[a-z]+-web\/|^libs\/web\/|\.(spec|fixture)\.tsx?$|\.d\.m?ts$|^libs\/testing\//;
const SKIPPED = /(^|\/)(node_modules|dist|generated)\//;

function sources(): string[] {
  return ['apps', 'libs', 'tools'].flatMap((folder) =>
    fs
      .readdirSync(path.join(WORKSPACE, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.(ts|tsx|mts|mjs|js)$/.test(file) && !ELSEWHERE.test(file) && !SKIPPED.test(file)),
  );
}

function timersOf(file: string): [file: string, timer: string][] {
  const source = fs.readFileSync(path.join(WORKSPACE, file), 'utf8');
  if (!/setInterval|setTimeout/.test(source)) return [];
  return repeatingTimers(source, file.endsWith('x')).map((timer): [string, string] => [file, timer]);
}

describe('periodic work', () => {
  it('is a PeriodicTask, which never overlaps and which close waits for', () => {
    const allowed = Object.entries(EXCEPTIONS).map(([file, [timer]]) => [file, timer]);
    expect(sources().flatMap(timersOf).sort()).toEqual(allowed.sort());
  });

  it.each([
    ['an interval', `setInterval(() => sweep(), 1_000);`, 'setInterval'],
    ['one of another module', `timers.setInterval(sweep, 1_000);`, 'setInterval'],
    ['a function that sets itself again', `function look() { work(); setTimeout(look, 500); }`, 'setTimeout in look'],
    [
      'a method that comes back through others',
      `class Probe {
        private later() { this.timer = setTimeout(() => void this.again(), 500).unref(); }
        private async again() { try { await this.ping(); } catch { this.later(); } }
      }`,
      'setTimeout in later',
    ],
    [
      'a property that holds a function',
      `class Line { private readonly next = () => { setTimeout(this.next, 1); }; }`,
      'setTimeout in next',
    ],
  ])('is found where it is hand-written: %s', (_, planted, timer) => {
    expect(repeatingTimers(planted)).toEqual([timer]);
  });

  it.each([
    ['a time limit', `async function ask() { const timer = setTimeout(() => stop.abort(), 100); await answer; }`],
    ['a pause', `async function turn() { await new Promise((resolve) => setTimeout(resolve, 100)); return turn(); }`],
  ])('is not %s', (_, planted) => {
    expect(repeatingTimers(planted)).toEqual([]);
  });
});
