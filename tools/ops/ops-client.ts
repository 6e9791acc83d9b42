import type { Doors } from './connection.ts';
import { Refused, WrongUse } from './trouble.ts';
import type { ProcessName, Words } from './words.ts';

/** Longer than any action takes; a count over all deliveries is the slowest. */
const PATIENCE_MS = 30_000;

export type Query = Record<string, string | number | boolean | undefined>;

export interface CallOptions {
  method?: 'GET' | 'POST';
  query?: Query;
  body?: object;
}

/** A page of a list. */
export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

/** Asks the processes on their ops ports, in an operator's name. */
export class OpsClient {
  constructor(
    private readonly doors: Doors,
    private readonly operator: string,
    private readonly words: Words,
  ) {}

  knows(process: ProcessName): boolean {
    return this.doors[process] !== undefined;
  }

  /** @throws Refused with what the process said, or why it could not be asked; WrongUse when its address is not known */
  async call<Answer>(process: ProcessName, path: string, { method, query, body }: CallOptions = {}): Promise<Answer> {
    const door = this.doors[process];
    if (!door) throw new WrongUse(this.words.noDoor(process));
    const url = new URL(`${door.url}${path}`);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { authorization: `Bearer ${door.token}`, 'x-operator': this.operator };
    if (body) headers['content-type'] = 'application/json';
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: method ?? 'GET',
        headers,
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      text = await response.text();
    } catch (error) {
      throw new Refused(this.words.away(process, door.url, causeOf(error)));
    }
    if (response.ok) return JSON.parse(text) as Answer;
    throw new Refused(this.sentence(process, response.status, text), response.status);
  }

  private sentence(process: ProcessName, status: number, text: string): string {
    if (status === 401) return this.words.wrongToken(process);
    const said = errorIn(text);
    return said ?? (status === 404 || status === 405 ? this.words.noActions(process) : `${process}: HTTP ${status}`);
  }
}

function errorIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

function causeOf(error: unknown): string {
  const { cause, name } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? name;
}
