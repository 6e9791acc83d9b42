import pg from 'pg';

/**
 * A connection whose loss is reported by the next statement on it, and to its listeners. Of pg's own, an error that nobody hears
 * ends the process, and pools leave such moments: a connection changes hands while one piece of what the server sent is read, and the
 * server's last word can stand in the same piece as the answer before it.
 */
export class LossTolerantClient extends pg.Client {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'error' && this.listenerCount('error') === 0) return false;
    return super.emit(event as 'error', ...(args as [Error]));
  }
}
