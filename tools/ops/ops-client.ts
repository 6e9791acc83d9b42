import type { OpsRequest, ProcessName } from '@constancia/operations';
import type { OpsAddresses } from './connection.ts';
import { Refused, WrongUse } from './failures.ts';
import type { Words } from './words.ts';

/** Longer than any action takes; a count over all deliveries is the slowest. */
const TIMEOUT_MS = 30_000;

/** Asks the processes on their ops ports, in an operator's name. */
export class OpsClient {
  constructor(
    private readonly addresses: OpsAddresses,
    private readonly operator: string,
    private readonly words: Words,
  ) {}

  knows(process: ProcessName): boolean {
    return this.addresses[process] !== undefined;
  }

  /** @throws Refused with what the process said, or why it could not be asked; WrongUse when its address is not known */
  async send<Answer>({ process, method, path, query, body }: OpsRequest<Answer>): Promise<Answer> {
    const address = this.addresses[process];
    if (!address) throw new WrongUse(this.words.unknownAddress(process));
    const url = new URL(`${address.url}${path}`);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { authorization: `Bearer ${address.token}`, 'x-operator': this.operator };
    if (body) headers['content-type'] = 'application/json';
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await response.text();
    } catch (error) {
      throw new Refused(this.words.away(process, address.url, causeOf(error)));
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
