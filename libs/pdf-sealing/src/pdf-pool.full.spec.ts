import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PdfPool, PdfPoolBusy } from './index.ts';
import { pagesPdf } from './made-pdf.fixture.ts';
import { WATCH_PARENT } from '@constancia/child-process';

const PLACE = [{ key: 'a', page: 1, x: 20, y: 20, size: 10 }];
const good = pagesPdf().bytes();
/** Takes a second or more to read. */
const slow = pagesPdf()
  .object(5, `[${'0 '.repeat(3_900_000)}]`)
  .bytes();
/** Small, and some hundred MB when it is read. */
const hungry = pagesPdf()
  .deflated(20, `30 0 [${'[] '.repeat(3_900_000)}]`, '/Type /ObjStm /N 1 /First 5')
  .bytes();

/** A child that does what a test asks: the head of the job is its program. */
function childFile(program: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'child-'));
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const file = path.join(folder, 'child.js');
  fs.writeFileSync(
    file,
    `import net from 'node:net';
     const socket = new net.Socket({ fd: 3, readable: true, writable: true });
     const send = (head, bytes = Buffer.alloc(0)) => {
       const text = Buffer.from(JSON.stringify(head));
       const start = Buffer.alloc(8);
       start.writeUInt32LE(text.length, 0);
       start.writeUInt32LE(bytes.length, 4);
       socket.write(Buffer.concat([start, text, bytes]));
     };
     send({ answer: 'ready' });
     socket.on('close', () => process.exit());
     ${program}`,
  );
  return file;
}

describe('a pool', { timeout: 60_000 }, () => {
  it('fails only the document that takes too long, and goes on with a new child', async () => {
    const childPath = childFile(
      `let parts = []; // a job may come in several
       let whole;
       socket.on('data', (part) => {
         parts.push(part);
         clearTimeout(whole);
         whole = setTimeout(() => {
           const job = Buffer.concat(parts.splice(0));
           while (job.includes('endless'));
           send({ answer: 'filled' }, Buffer.from('%PDF-'));
         }, 100);
       });`,
    );
    const pool = new PdfPool({ processes: 1, memoryMb: 256, deadlineMs: 2_000, childPath });
    await pool.fill(good, PLACE, { a: 'x' });
    const results = await Promise.allSettled([
      pool.fill(good, PLACE, { a: 'endless' }),
      pool.fill(good, PLACE, { a: 'x' }),
      pool.fill(good, PLACE, { a: 'x' }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(results[0]).toMatchObject({
      reason: { code: 'too_complex', message: 'The document takes longer than 2 s.' },
    });
    await pool.close();
  });

  it('fails only the document that takes too much memory', async () => {
    const pool = new PdfPool({ processes: 2, memoryMb: 160, deadlineMs: 10_000 });
    const results = await Promise.allSettled([
      pool.fill(hungry, PLACE, { a: 'x' }),
      pool.fill(good, PLACE, { a: 'x' }),
      pool.fill(hungry, PLACE, { a: 'x' }),
      pool.fill(good, PLACE, { a: 'x' }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(results[0]).toMatchObject({ reason: { code: 'too_complex' } });
    await pool.close();
  });

  it.skipIf(process.platform !== 'linux')('is refused memory by the operating system, buffers included', async () => {
    const childPath = childFile(
      `socket.on('data', () => {
         const held = [];
         try { for (;;) held.push(Buffer.alloc(16 << 20, 1)); } catch (error) {
           send({ answer: 'failed', code: 'too_complex', sentence: 'Held ' + held.length * 16 + ' MB.' });
         }
       });`,
    );
    const pool = new PdfPool({ processes: 1, memoryMb: 256, deadlineMs: 10_000, childPath });
    const failure = await pool.fill(good, [], {}).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ code: 'too_complex' });
    const held = /^Held (\d+) MB/.exec((failure as Error).message)?.[1];
    // It is reported, or killed when V8 itself could not go on.
    if (held) expect(Number(held)).toBeLessThan(256);
    else expect((failure as Error).message).toBe('The document takes more memory than one document may.');
    await pool.close();
  });

  it.each([
    ['process.abort()', 'too_complex'],
    [`process.kill(process.pid, 'SIGKILL')`, 'too_complex'],
    [`process.kill(process.pid, 'SIGSEGV')`, 'too_complex'],
    ['process.exit(3)', 'internal'],
    ['throw new Error()', 'internal'],
  ])('outlives children that end by %s', async (end, code) => {
    const pool = new PdfPool({
      processes: 1,
      memoryMb: 256,
      deadlineMs: 5_000,
      childPath: childFile(`socket.on('data', () => { ${end} });`),
    });
    for (let nth = 0; nth < 2; nth++) await expect(pool.fill(good, [], {})).rejects.toMatchObject({ code });
    await pool.close();
  });

  it('tries a document again whose child was killed by somebody else', async () => {
    const mark = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mark-')), 'was-here');
    const childPath = childFile(
      `import fs from 'node:fs';
       socket.on('data', () => {
         if (fs.existsSync(${JSON.stringify(mark)})) return send({ answer: 'filled' }, Buffer.from('%PDF-'));
         fs.writeFileSync(${JSON.stringify(mark)}, '');
         process.kill(process.pid, 'SIGKILL');
       });`,
    );
    const pool = new PdfPool({ processes: 1, memoryMb: 256, deadlineMs: 5_000, childPath });
    expect((await pool.fill(good, [], {})).toString()).toBe('%PDF-');
    await pool.close();
  });

  it.skipIf(process.platform !== 'linux')(
    'lets its children finish when a terminal interrupts the whole group',
    async () => {
      const pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 40_000 });
      await pool.start();
      const children = fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number);
      const ours = children.filter((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pdf-child'));
      const filling = pool.fill(slow, PLACE, { a: 'x' });
      for (const pid of ours) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
      expect(await filling).toBeInstanceOf(Buffer);
      expect(ours.every((pid) => fs.existsSync(`/proc/${pid}`))).toBe(true);
      await pool.close();
    },
  );

  it('says internal, once for each document, when no child starts', async () => {
    const pool = new PdfPool({ processes: 2, memoryMb: 256, deadlineMs: 5_000, childPath: '/nowhere/child.js' });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => pool.fill(good, [], {})));
    expect(results.map((each) => (each as { reason: { code: string } }).reason.code)).toEqual(
      Array(5).fill('internal'),
    );
    await expect(pool.inspect(good, [])).rejects.toMatchObject({ code: 'internal' });
    await pool.close();
  });

  it('refuses what is too much to wait, and nothing else', async () => {
    const pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000, waiting: 3 });
    await pool.start();
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => pool.fill(good, PLACE, { a: 'x' })));
    expect(results.map(({ status }) => status)).toEqual([
      ...Array<string>(4).fill('fulfilled'),
      'rejected',
      'rejected',
    ]);
    expect((results[5] as PromiseRejectedResult).reason).toBeInstanceOf(PdfPoolBusy);
    await pool.close();
  });

  it('carries 25 MB there and back', async () => {
    const filling = Buffer.alloc(25 * 1024 * 1024 - 2_000, 'The quick brown fox. ');
    const large = pagesPdf().stream(20, filling).bytes();
    const pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
    const filled = await pool.fill(large, PLACE, { a: 'x' });
    expect(filled.length).toBeGreaterThan(filling.length);
    await pool.close();
  });

  it('lets what is in progress end when it is closed, and ends its children', async () => {
    const pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
    await pool.start();
    const inHand = pool.fill(good, PLACE, { a: 'x' });
    await pool.close();
    expect(await inHand).toBeInstanceOf(Buffer);
    await expect(pool.fill(good, PLACE, {})).rejects.toBeInstanceOf(PdfPoolBusy);
  });

  it('gives its children neither environment nor addresses', async () => {
    process.env.CANARY_SECRET = 'canary-5f2a';
    const childPath = childFile(
      `socket.on('data', () => send({ answer: 'failed', code: 'internal', sentence: JSON.stringify([process.env, process.argv]) }));`,
    );
    const pool = new PdfPool({ processes: 1, memoryMb: 256, deadlineMs: 5_000, childPath });
    const failure = await pool.fill(good, [], {}).catch((error: unknown) => error as Error);
    expect((failure as Error).message).not.toContain('canary');
    await pool.close();
  });

  it.skipIf(process.platform !== 'linux')(
    'leaves no child behind when its process is killed, not even one that computes',
    async () => {
      const parent = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'parent-')), 'parent.js');
      const busy = childFile(
        `import { Worker } from 'node:worker_threads';
       new Worker(${JSON.stringify(WATCH_PARENT)}, { eval: true });
       socket.on('data', () => {
         send({ answer: 'busy' });
         setTimeout(() => { for (;;); }, 100);
       });`,
      );
      fs.writeFileSync(
        parent,
        `const { spawn } = require('node:child_process');
       const child = spawn(process.execPath, [${JSON.stringify(busy)}], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
       child.stdio[3].once('data', () => {
         child.stdio[3].write('work');
         setTimeout(() => { console.log(child.pid); process.kill(process.pid, 'SIGKILL'); }, 500);
       });`,
      );
      let output = '';
      try {
        output = execFileSync(process.execPath, [parent], { encoding: 'utf8', stdio: 'pipe' });
      } catch (error) {
        output = (error as { stdout: string }).stdout;
      }
      const pid = Number(output);
      expect(pid).toBeGreaterThan(0);
      await expect.poll(() => fs.existsSync(`/proc/${pid}`), { timeout: 5_000 }).toBe(false);
    },
  );
});
