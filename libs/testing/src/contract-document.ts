import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { parse } from 'yaml';

export const DOCUMENTED = ['platform', 'compliance', 'signing'] as const;

/** The published interfaces, and the operators' API. */
export const CONTRACTS = [...DOCUMENTED, 'ops'] as const;
export type Contract = (typeof CONTRACTS)[number];

export interface ResponseRule {
  headers: { name: string; required: boolean; pointer: string }[];
  /** Pointer to the schema, by media type; no entry: no body. */
  content: Map<string, string>;
}

export interface OperationRule {
  operationId: string;
  method: string;
  /** Path template: /v1/signatures/{id}. */
  path: string;
  /** Needs no credential: `security: []`. */
  public: boolean;
  responses: Map<string, ResponseRule>;
}

interface PathRule {
  template: string;
  pattern: RegExp;
  methods: Map<string, OperationRule>;
}

type Node = Record<string, unknown>;

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);

/** A committed OpenAPI file, made ready to answer: which operation is this, and what may it answer? */
export class ContractDocument {
  readonly paths: PathRule[];

  constructor(
    readonly file: string,
    readonly root: Node,
  ) {
    this.paths = Object.entries(root.paths as Node)
      .map(([template, item]) => this.pathRule(template, item as Node))
      .sort((a, b) => parameters(a.template) - parameters(b.template)); // /replays before /{id}
  }

  static load(app: Contract): ContractDocument {
    const file = `docs/api/${app}.v1.yaml`;
    return new ContractDocument(file, parse(readFileSync(path.join(WORKSPACE, file), 'utf8')) as Node);
  }

  get operations(): OperationRule[] {
    return this.paths.flatMap(({ methods }) => [...methods.values()]);
  }

  /** The rules of a path, undefined when the document does not know it. */
  find(pathname: string): PathRule | undefined {
    return this.paths.find(({ pattern }) => pattern.test(pathname));
  }

  private pathRule(template: string, item: Node): PathRule {
    const address = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
    const pattern = new RegExp(`^${address}${isPage(item) ? '/?' : ''}$`);
    const methods = new Map<string, OperationRule>();
    for (const [method, operation] of Object.entries(item)) {
      if (!METHODS.has(method)) continue;
      const pointer = `/paths/${escaped(template)}/${method}/responses`;
      const { operationId, responses, security } = operation as {
        operationId: string;
        responses: Node;
        security?: unknown[];
      };
      const rules = Object.keys(responses).map(
        (status) => [status, this.responseRule(`${pointer}/${status}`)] as const,
      );
      methods.set(method, {
        operationId,
        method: method.toUpperCase(),
        path: template,
        public: security?.length === 0,
        responses: new Map(rules),
      });
    }
    return { template, pattern, methods };
  }

  private responseRule(at: string): ResponseRule {
    const pointer = this.resolved(at);
    const response = this.at(pointer) as { headers?: Node; content?: Node };
    const headers = Object.keys(response.headers ?? {}).map((name) => {
      const header = this.resolved(`${pointer}/headers/${escaped(name)}`);
      return { name, required: (this.at(header) as Node).required === true, pointer: `${header}/schema` };
    });
    const content = Object.keys(response.content ?? {}).map(
      (type) => [type, `${pointer}/content/${escaped(type)}/schema`] as const,
    );
    return { headers, content: new Map(content) };
  }

  /** Follows a reference that stands at a pointer. */
  private resolved(pointer: string): string {
    const { $ref } = this.at(pointer) as { $ref?: string };
    return $ref === undefined ? pointer : this.resolved($ref.slice(1));
  }

  private at(pointer: string): unknown {
    return pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((node, part) => (node as Node)[part.replaceAll('~1', '/').replaceAll('~0', '~')], this.root);
  }
}

/** Pages for people may be asked for with a slash at their end. */
function isPage({ get }: Node): boolean {
  const { responses } = (get ?? {}) as { responses?: Record<string, { content?: Node }> };
  return responses?.['200']?.content?.['text/html'] !== undefined;
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

function parameters(template: string): number {
  return template.split('{').length - 1;
}
