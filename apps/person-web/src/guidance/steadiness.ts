/** How long everything has to be right before a picture is taken by itself, and in how many frames at least. */
const HOLD_MS = 600;
const HOLD_FRAMES = 4;

/** Counts how long frames have been good without a break. */
export class Steadiness {
  private since: number | null = null;
  private frames = 0;

  /** 0 to 1; a picture is due at 1. */
  good(atMs: number): number {
    this.since ??= atMs;
    this.frames += 1;
    return Math.min(1, (atMs - this.since) / HOLD_MS, this.frames / HOLD_FRAMES);
  }

  broken(): void {
    this.since = null;
    this.frames = 0;
  }
}
