import { PROBLEMS } from '@constancia/contracts';
import { ContractDocument, type Contract, type OperationRule, type ResponseRule } from './contract-document.ts';
import { ContractSchemas } from './contract-schemas.ts';
import { noteUse } from './contract-usage.ts';

/** A response as a test saw it. */
export interface SeenResponse {
  method: string;
  /** Path, with or without a query. */
  url: string;
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: Uint8Array;
}

/** A response that the committed OpenAPI file does not allow. */
export class ContractViolation extends Error {
  constructor(file: string, { method, url, status }: SeenResponse, faults: string[]) {
    super(
      `${method} ${url} answered ${status}, which ${file} does not allow:\n${faults.map((one) => `  - ${one}`).join('\n')}`,
    );
    this.name = 'ContractViolation';
  }
}

/** What a server may answer to a path or method that it does not have, or to a request that it cannot read at all. */
const OFF_THE_MAP = new Set([400, 404, 405, 413, 414, 415, 429, 500, 503]);
const PROBLEM_TYPE = 'application/problem+json';
const PROBLEM_SCHEMA = '/components/schemas/Problem';

/** Headers that belong to one operation's answer, in addition to its `X-…` headers: the document has to name them. */
const OWN_HEADERS = new Set([
  'age',
  'etag',
  'content-disposition',
  'location',
  'retry-after',
  'idempotent-replayed',
  'set-cookie',
]);
/** Of the transport and of browsers' protection, the same on every answer. */
const EVERYWHERE =
  /^x-(content-type-options|dns-prefetch-control|download-options|frame-options|permitted-cross-domain-policies|xss-protection)$/;

/**
 * Checks responses of one app against docs/api/<app>.v1.yaml: the status is declared, required headers are there and fit, no
 * other header of the operation's own is sent, the media type is declared, the body fits its schema and has no undeclared member, problems are complete. Notes which operations
 * were seen (reportUnusedOperations).
 */
export class ContractChecker {
  private static readonly loaded = new Map<Contract, ContractChecker>();
  private readonly schemas: ContractSchemas;

  constructor(
    private readonly app: Contract,
    private readonly document: ContractDocument,
  ) {
    this.schemas = new ContractSchemas(document.root);
  }

  /** The checker of an app; the file is read once per process. */
  static of(app: Contract): ContractChecker {
    let checker = this.loaded.get(app);
    if (!checker) this.loaded.set(app, (checker = new ContractChecker(app, ContractDocument.load(app))));
    return checker;
  }

  /** Throws ContractViolation, which names every fault. */
  check(seen: SeenResponse): void {
    const pathname = seen.url.split(/[?#]/, 1)[0] as string;
    const method = seen.method.toLowerCase();
    const operation = this.document.find(pathname)?.methods.get(method === 'head' ? 'get' : method);
    const faults = operation ? this.faultsOf(operation, seen) : this.faultsOffTheMap(seen);
    if (faults.length > 0) throw new ContractViolation(this.document.file, seen, faults);
    if (operation) noteUse(this.app, operation.operationId, seen.status);
  }

  /** Checks the body of a webhook delivery against its event type in the document. Throws Error, which names every fault. */
  checkEvent(body: Uint8Array | string): void {
    const event = JSON.parse(Buffer.from(body).toString('utf8')) as { event_type?: unknown };
    const name = `Event_${String(event.event_type).replaceAll('.', '_')}`;
    const known = (this.document.root.components as { schemas: object }).schemas;
    const faults = Object.hasOwn(known, name)
      ? this.schemas.faults(`/components/schemas/${name}`, event)
      : ['its event_type is not declared'];
    if (faults.length > 0)
      throw new Error(`The event ${String(event.event_type)} is not as documented: ${faults.join('; ')}`);
  }

  private faultsOf(operation: OperationRule, seen: SeenResponse): string[] {
    const rule = operation.responses.get(String(seen.status));
    if (!rule) {
      const declared = [...operation.responses.keys()].join(', ');
      return [
        `${operation.operationId} does not declare status ${seen.status} (declared: ${declared})${excerpt(seen)}`,
      ];
    }
    return [...this.headerFaults(rule, seen), ...(seen.method === 'HEAD' ? [] : this.bodyFaults(rule, seen))];
  }

  private headerFaults(rule: ResponseRule, { headers }: SeenResponse): string[] {
    const declared = new Set(rule.headers.map(({ name }) => name.toLowerCase()));
    const undeclared = Object.keys(headers).filter(
      (name) => headers[name] !== undefined && isOwn(name) && !declared.has(name),
    );
    const unfit = rule.headers.flatMap(({ name, required, pointer }) => {
      const text = headers[name.toLowerCase()];
      if (text === undefined) return required ? [`header ${name} is missing`] : [];
      const number = /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
      const fits = [text, number].some(
        (value) => value !== undefined && this.schemas.faults(pointer, value).length === 0,
      );
      return fits ? [] : [`header ${name} is ${JSON.stringify(text)}, which its schema does not allow`];
    });
    return [...unfit, ...undeclared.map((name) => `header ${name} is not declared`)];
  }

  private bodyFaults(rule: ResponseRule, seen: SeenResponse): string[] {
    if (rule.content.size === 0) return seen.body.length === 0 ? [] : [`a body where none is declared${excerpt(seen)}`];
    const type = mediaType(seen);
    const pointer = rule.content.get(type);
    if (pointer === undefined) {
      return [`content type "${type}" is not declared (declared: ${[...rule.content.keys()].join(', ')})`];
    }
    if (!/[/+]json$/.test(type)) return [];
    const body = json(seen);
    if (body === undefined) return [`the body is not JSON${excerpt(seen)}`];
    const faults = this.schemas.faults(pointer, body);
    return type === PROBLEM_TYPE ? [...faults, ...problemFaults(body, seen)] : faults;
  }

  /** An unknown path or method: only a problem that says so will do. */
  private faultsOffTheMap(seen: SeenResponse): string[] {
    if (!OFF_THE_MAP.has(seen.status))
      return ['this path and method are not declared: after adding a route, run npm run openapi'];
    if (seen.method === 'HEAD' || this.app === 'ops') return [];
    const body = mediaType(seen) === PROBLEM_TYPE ? json(seen) : undefined;
    if (body === undefined) return [`an undeclared path or method is answered by a problem document${excerpt(seen)}`];
    return [...this.schemas.faults(PROBLEM_SCHEMA, body), ...problemFaults(body, seen)];
  }
}

function isOwn(header: string): boolean {
  return OWN_HEADERS.has(header) || (header.startsWith('x-') && !EVERYWHERE.test(header));
}

function problemFaults(body: unknown, seen: SeenResponse): string[] {
  const { type, status, request_id } = body as { type?: string; status?: number; request_id?: string };
  const slug = String(type).split('/').at(-1) as keyof typeof PROBLEMS;
  const faults: string[] = [];
  if (!Object.hasOwn(PROBLEMS, slug)) faults.push(`the problem type ${type} has no known slug`);
  else if (PROBLEMS[slug].status !== seen.status)
    faults.push(`${slug} is a problem of status ${PROBLEMS[slug].status}`);
  if (status !== seen.status) faults.push(`the problem says status ${status}`);
  // A replayed answer is the first one, to the byte.
  const replayed = seen.headers['idempotent-replayed'] === 'true';
  if (!replayed && request_id !== seen.headers['x-request-id']) faults.push('request_id differs from X-Request-Id');
  return faults;
}

function mediaType({ headers }: SeenResponse): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function json({ body }: SeenResponse): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function excerpt({ body }: SeenResponse): string {
  return body.length === 0 ? '' : `: ${Buffer.from(body).toString('utf8').slice(0, 400)}`;
}
