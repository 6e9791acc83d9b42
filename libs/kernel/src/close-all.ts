/** One thing that is open: a connection, a process, a task. */
export type Close = () => unknown;

/**
 * Closes one thing after the other, in this order. A failure does not keep the others open; at the end a single error is thrown as it is,
 * several as an AggregateError with all their messages.
 */
export async function closeAll(closes: readonly Close[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closes) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} closes failed: ${reasonsOf(errors)}`);
}

function reasonsOf(errors: readonly unknown[]): string {
  return errors.map((error) => (error instanceof Error ? error.message : String(error))).join('; ');
}
