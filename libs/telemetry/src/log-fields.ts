import { scrub } from './scrub.ts';

/** The only members that a log line may carry beside level, time, msg and err. Everything else is named, not shown. */
const FIELDS = new Set(
  `request_id tenant_id method route status duration_ms bytes app event_id event_type module queue job job_id kind name
   attempt attempts delivery_id endpoint_id template_id signature_id circuit_id envelope_id run_id key_prefix key_id count
   code error_code sqlstate trace_id span_id signal version schema migration port host backlog lag_ms due slug check checks
   environment concurrency delay_ms size limit policy reason url_host component pid context result batch depth dropped
   ops_address interval_ms waited_ms backend bucket node channel state from to kms_key_arn`.split(/\s+/),
);

const SUFFIX = /^[a-z][a-z0-9_]{0,40}_(?:id|ms|count|bytes|seconds|total)$/;

/**
 * The members of a log call that may be written: allow-listed names with plain values, texts scrubbed. Names of the others are
 * listed in `dropped`, so that the author of the line sees why it is short.
 */
export function allowedFields(given: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  let dropped: string[] | undefined;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (name === 'err' || name === 'error') fields.err = describeError(value);
    else if (isPlain(value) && (FIELDS.has(name) || SUFFIX.test(name)))
      fields[name] = typeof value === 'string' ? scrub(value, 500) : value;
    else (dropped ??= []).push(name.slice(0, 40));
  }
  if (dropped !== undefined) fields.dropped = dropped;
  return fields;
}

/** An error as it is logged: type, code, message and stack, scrubbed; causes three deep. No other member of it. */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code: scrub(code, 100) } : {}),
    message: scrub(error.message),
    stack: scrub(error.stack ?? '', 8_000),
    ...(cause !== undefined && depth < 3 ? { cause: describeError(cause, depth + 1) } : {}),
  };
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
