export interface ApiResponse {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: unknown; examples?: Record<string, unknown> }>;
}

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  /** The scopes of which the principal needs one; empty: any principal of the tenant. Absent where no principal is needed. */
  'x-scope'?: string[];
  /** The principal needs all of them. */
  'x-every-scope'?: true;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: unknown }[];
  requestBody?: { content: Record<string, { schema?: { $ref?: string } }> };
  responses: Record<string, ApiResponse>;
}

export type PathItem = Record<string, Operation>;
