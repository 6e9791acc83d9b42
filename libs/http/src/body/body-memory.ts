/** Bodies up to this size are not counted: that many connections are a matter of the server's file limit. */
const UNCOUNTED_BYTES = 64 * 1024;

interface Holding {
  caller: string;
  bytes: number;
}

/**
 * The bytes of request bodies that a process may hold at once, and one caller no more than half of them, so that one who
 * uploads all the time leaves room for the others. A body is held until its answer is out or the connection is gone.
 */
export class BodyMemory {
  private readonly holdings = new Map<object, Holding>();
  private readonly closed = new WeakSet<object>();
  private readonly byCaller = new Map<string, number>();
  private total = 0;

  constructor(private readonly limitBytes: number) {}

  get heldBytes(): number {
    return this.total;
  }

  /** Whether a request's holding could grow to so many bytes now. */
  fits(request: object, caller: string, bytes: number): boolean {
    if (bytes <= UNCOUNTED_BYTES) return true;
    const more = bytes - (this.holdings.get(request)?.bytes ?? 0);
    return this.total + more <= this.limitBytes && (this.byCaller.get(caller) ?? 0) + more <= this.limitBytes / 2;
  }

  /** Lets a request hold so many bytes altogether; false when there is no room, or the request is over. */
  hold(request: object, caller: string, bytes: number): boolean {
    if (this.closed.has(request) || !this.fits(request, caller, bytes)) return false;
    const more = bytes - (this.holdings.get(request)?.bytes ?? 0);
    if (bytes <= UNCOUNTED_BYTES || more <= 0) return true;
    this.add(caller, more);
    this.holdings.set(request, { caller, bytes });
    return true;
  }

  /** The request is over: what it held is free, and it holds nothing from now on. */
  release(request: object): void {
    this.closed.add(request);
    const holding = this.holdings.get(request);
    if (holding === undefined) return;
    this.holdings.delete(request);
    this.add(holding.caller, -holding.bytes);
  }

  private add(caller: string, bytes: number): void {
    this.total += bytes;
    const held = (this.byCaller.get(caller) ?? 0) + bytes;
    if (held === 0) this.byCaller.delete(caller);
    else this.byCaller.set(caller, held);
  }
}
