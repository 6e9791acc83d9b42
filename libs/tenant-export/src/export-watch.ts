import type { Readable } from 'node:stream';
import type { Tx } from '@constancia/persistence';

/** A client that takes nothing for so long is gone. */
export const STALL_MS = 60_000;
/** All rows have left by then: a snapshot that is held longer keeps the store from cleaning up. */
export const ROWS_MS = 60 * 60_000;
/** The whole archive has left by then, counted from its start. */
export const WHOLE_MS = 6 * 60 * 60_000;
/** How often the store hears from the transaction that holds the slot. */
const TOUCH_MS = 30_000;

/** Cuts an archive off whose reader takes nothing, or takes too long, and keeps the connection of its slot alive meanwhile. */
export class ExportWatch {
  private readonly stall: NodeJS.Timeout;
  private deadline: NodeJS.Timeout;
  private readonly startedAt = Date.now();
  private touchedAt = this.startedAt;
  private hasNoSlot = false;

  constructor(
    private readonly body: Readable,
    private readonly slot: Tx,
  ) {
    this.stall = this.cutAfter(STALL_MS, 'the client reads no more');
    this.deadline = this.cutAfter(ROWS_MS, 'the rows were not read in time');
  }

  /** Something was taken. */
  progress(): void {
    if (this.hasNoSlot) return; // a chunk that was still on its way: the slot is given up
    this.stall.refresh();
    if (Date.now() - this.touchedAt < TOUCH_MS) return;
    this.touchedAt = Date.now();
    this.slot.query('select 1').catch((error: Error) => this.body.destroy(error));
  }

  /** All rows have left. */
  rowsEnded(): void {
    clearTimeout(this.deadline);
    const leftMs = this.startedAt + WHOLE_MS - Date.now();
    this.deadline = this.cutAfter(leftMs, 'the archive was not read in time');
  }

  /** The slot is given up. The end of the archive still has the deadline. */
  slotEnded(): void {
    this.hasNoSlot = true;
    clearTimeout(this.stall);
  }

  end(): void {
    this.slotEnded();
    clearTimeout(this.deadline);
  }

  private cutAfter(ms: number, reason: string): NodeJS.Timeout {
    return setTimeout(() => this.body.destroy(new Error(reason)), ms).unref();
  }
}
