import { ContractDocument, DOCUMENTED } from '@constancia/testing';

/** A schema of an OpenAPI 3.1 document, as far as inputs use it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: unknown[];
  const?: unknown;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  example?: unknown;
}

export type App = (typeof DOCUMENTED)[number];

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

/** An operation of a committed OpenAPI file, as a caller sees it. */
export interface Operation {
  app: App;
  operationId: string;
  method: string;
  /** Path template: /v1/signatures/{id}. */
  path: string;
  /** Needs no credential. */
  public: boolean;
  /** Takes the token of a wallet session alone: no key of a tenant. */
  ofPerson: boolean;
  parameters: Parameter[];
  /** By media type; none: no body is read. */
  bodies: Map<string, Schema>;
}

/** A document's schemas, with references followed. */
export type Resolve = (schema: Schema) => Schema;

interface Described {
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** Every operation of the three documents. */
export function documentedOperations(): Operation[] {
  return DOCUMENTED.flatMap((app) => {
    const document = ContractDocument.load(app);
    const paths = document.root.paths as Record<string, Record<string, Described>>;
    return document.operations.map(({ operationId, method, path, public: open }) => {
      const { parameters = [], requestBody, security = [] } = paths[path]?.[method.toLowerCase()] as Described;
      return {
        ...{ app, operationId, method, path, public: open, parameters },
        ofPerson: security.some((one) => 'WalletSession' in one),
        bodies: new Map(Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema ?? {}])),
      };
    });
  });
}

const resolvers = new Map<App, Resolve>();

/** Follows references within the document of an app; the document is read once. */
export function resolverOf(app: App): Resolve {
  const known = resolvers.get(app);
  if (known) return known;
  const { root } = ContractDocument.load(app);
  const resolve: Resolve = (schema) => {
    if (schema.$ref === undefined) return schema;
    const found = schema.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], root);
    return resolve(found as Schema);
  };
  resolvers.set(app, resolve);
  return resolve;
}
