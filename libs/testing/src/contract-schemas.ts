import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Node = Record<string, unknown>;

/** Times at the edge are UTC with milliseconds: stricter than RFC 3339. */
const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * The schemas of an OpenAPI 3.1 document, by JSON Pointer. A response may not have members that its schema does not name: a
 * document promises less to callers than a test should hold an app to.
 */
export class ContractSchemas {
  private readonly ajv: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(root: Node) {
    this.ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.ajv);
    this.ajv.addFormat('date-time', UTC_MILLISECONDS);
    this.ajv.addFormat('binary', true);
    const closed = structuredClone(root);
    close(closed, false);
    this.ajv.addSchema({ ...closed, $id: 'contract' });
  }

  /** What is wrong with a value, one line per fault; none when it fits. */
  faults(pointer: string, value: unknown): string[] {
    let validate = this.compiled.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `contract#${encodeURI(pointer)}` });
      this.compiled.set(pointer, validate);
    }
    return validate(value) ? [] : (validate.errors ?? []).map(faultOf);
  }
}

function faultOf({ instancePath, message, keyword, params }: ErrorObject): string {
  const at = instancePath === '' ? 'the body' : instancePath;
  const detail = params as { additionalProperty?: string; allowedValues?: unknown[] };
  if (keyword === 'additionalProperties') return `${at} has the undeclared member ${detail.additionalProperty}`;
  if (keyword === 'enum') return `${at} must be one of ${JSON.stringify(detail.allowedValues)}`;
  return `${at} ${message}`;
}

/** Closes every object schema that names its members and does not say whether there may be others. */
function close(node: unknown, combined: boolean): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Node;
  if (
    !combined &&
    typeof schema.properties === 'object' &&
    !('additionalProperties' in schema) &&
    !('allOf' in schema)
  ) {
    schema.additionalProperties = false;
  }
  for (const [name, inner] of Object.entries(schema)) {
    if (name === 'example' || name === 'examples') continue;
    close(inner, name === 'allOf' || (combined && Array.isArray(schema)));
  }
}
