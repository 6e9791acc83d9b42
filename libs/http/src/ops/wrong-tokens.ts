import { backoffMs, sleep } from '@constancia/kernel';

const FIRST_MS = 100;
const LONGEST_MS = 3_000;
/** After this time without a wrong token the count of an address starts again. */
const FORGET_MS = 60_000;
const WAITING = 10;
const ADDRESSES = 1_000;

interface Tries {
  wrong: number;
  waiting: number;
  lastAt: number;
}

/**
 * Slows down guessing of tokens: each wrong one is answered after twice the delay of the one before, up to three seconds. While ten
 * requests of an address wait, further ones are refused unchecked, so that a parallel attempt does not find a right token sooner.
 */
export class WrongTokens {
  private readonly tries = new Map<string, Tries>();

  constructor(private readonly firstMs = FIRST_MS) {}

  isBlocked(address: string): boolean {
    return (this.tries.get(address)?.waiting ?? 0) >= WAITING;
  }

  /** Waits for the delay of this wrong token; returns the number of wrong tokens so far. */
  async slowDown(address: string): Promise<number> {
    const known = this.tries.get(address);
    const isRecent = known !== undefined && (known.waiting > 0 || Date.now() - known.lastAt < FORGET_MS);
    const tries = isRecent ? known : { wrong: 0, waiting: 0, lastAt: 0 };
    this.forgetOldest(address);
    this.tries.set(address, tries);
    const delayMs = backoffMs(tries.wrong + 1, { firstMs: this.firstMs, longestMs: LONGEST_MS });
    tries.wrong++;
    tries.waiting++;
    tries.lastAt = Date.now();
    await sleep(delayMs);
    tries.waiting--;
    return tries.wrong;
  }

  /** An ops port has few clients; the bound keeps one with many addresses from filling the memory. */
  private forgetOldest(address: string): void {
    this.tries.delete(address);
    const [oldest] = this.tries.keys();
    if (this.tries.size >= ADDRESSES && oldest !== undefined) this.tries.delete(oldest);
  }
}
