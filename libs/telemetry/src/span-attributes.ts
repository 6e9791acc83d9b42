import type { Attributes, AttributeValue } from '@opentelemetry/api';
import { scrub } from './scrub.ts';

/** All that a span may tell beside its name: templates, methods, statuses, stable words, and ids as the API shows them. */
const ATTRIBUTES = new Set(
  `http.request.method http.route http.response.status_code error.type delivery.id delivery.number delivery.replayed event.id
   signature.id envelope.id run.id job.attempt step.type result list.code list.pass`.split(/\s+/),
);

const MAX_TEXT = 200;

/** The attributes that a span may carry: those on the list, texts scrubbed and cut. The others are left out. */
export function allowedAttributes(given: Attributes): Attributes {
  const allowed: Attributes = {};
  for (const [name, value] of Object.entries(given)) {
    if (ATTRIBUTES.has(name) && isPlain(value)) {
      allowed[name] = typeof value === 'string' ? scrub(value, MAX_TEXT) : value;
    }
  }
  return allowed;
}

function isPlain(value: AttributeValue | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
