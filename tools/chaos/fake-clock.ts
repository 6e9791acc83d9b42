import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PLACES = [
  process.env.LIBFAKETIME,
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
];

/** Where libfaketime is; undefined when it is not installed. */
export const libfaketime = PLACES.find((place) => place !== undefined && fs.existsSync(place));

/** A wall clock that can be moved while processes run (monotonic time stays as it is). */
export class FakeClock {
  private constructor(
    private readonly file: string,
    readonly environment: Record<string, string>,
  ) {}

  static make(): FakeClock {
    if (!libfaketime) throw new Error('libfaketime is not installed');
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-clock-')), 'offset');
    const clock = new FakeClock(file, {
      LD_PRELOAD: libfaketime,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    clock.jump(0);
    return clock;
  }

  /** Sets the clock this many seconds off. */
  jump(seconds: number): void {
    const staged = `${this.file}.next`;
    fs.writeFileSync(staged, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`);
    fs.renameSync(staged, this.file);
  }

  remove(): void {
    fs.rmSync(path.dirname(this.file), { recursive: true, force: true });
  }
}
