import { Injectable } from '@nestjs/common';

/** Spreads retries, so that what failed together does not come back together. */
@Injectable()
export class RetryJitter {
  /** In [0, 1). */
  next(): number {
    return Math.random();
  }
}
