import { sleep } from '@constancia/kernel';

const FIRST_MS = 100;
const LONGEST_MS = 3_000;
/** After so long without a wrong token an address begins anew. */
const FORGET_MS = 60_000;
const WAITING = 10;
const ADDRESSES = 1_000;

interface Tries {
  wrong: number;
  waiting: number;
  lastAt: number;
}

/**
 * Slows down who tries tokens: the answer to each wrong one takes twice as long as the one before, up to three seconds. While ten of one
 * address wait for theirs, nothing more from there is looked at, so that no answer tells a right token sooner.
 */
export class WrongTokens {
  private readonly tries = new Map<string, Tries>();

  constructor(private readonly firstMs = FIRST_MS) {}

  isBlocked(address: string): boolean {
    return (this.tries.get(address)?.waiting ?? 0) >= WAITING;
  }

  /** Waits for as long as this wrong token is to cost; answers how many it were. */
  async slowDown(address: string): Promise<number> {
    const known = this.tries.get(address);
    const isRecent = known !== undefined && (known.waiting > 0 || Date.now() - known.lastAt < FORGET_MS);
    const tries = isRecent ? known : { wrong: 0, waiting: 0, lastAt: 0 };
    this.forgetOldest(address);
    this.tries.set(address, tries);
    const delayMs = Math.min(this.firstMs * 2 ** Math.min(tries.wrong, 10), LONGEST_MS);
    tries.wrong++;
    tries.waiting++;
    tries.lastAt = Date.now();
    await sleep(delayMs);
    tries.waiting--;
    return tries.wrong;
  }

  /** Addresses are few on an ops port; whoever has many does not fill the memory. */
  private forgetOldest(address: string): void {
    this.tries.delete(address);
    const [oldest] = this.tries.keys();
    if (this.tries.size >= ADDRESSES && oldest !== undefined) this.tries.delete(oldest);
  }
}
