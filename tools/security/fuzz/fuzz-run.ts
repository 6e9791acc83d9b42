import fc from 'fast-check';
import { documentedOperations, type Operation, resolverOf } from './operations.ts';
import { type FuzzRequest, requestOf } from './requests.ts';
import { type Caller, type Exchange, send, type SentRequest } from './send.ts';
import { faultsOf } from './verdict.ts';

/** Something that the service must not have answered, with the smallest sequence of calls that shows it. */
export interface Finding {
  operationId: string;
  faults: string[];
  /** What was sent, the last one being the one at fault. */
  sent: SentRequest[];
  answer: string;
  seed: number;
}

export interface FuzzReport {
  seed: number;
  requests: number;
  /** How often each operation answered which status. */
  statuses: Map<string, Map<number, number>>;
  findings: Finding[];
  slowest: { operationId: string; ms: number };
}

export interface FuzzOptions {
  seed: number;
  /** How long at most, in ms. Every operation is called a few times, however little that is. */
  timeMs: number;
  /** Rounds of sequences across operations; as many as there is time for by default. */
  rounds?: number;
  caller: Caller;
  /** Only these operations; all by default. */
  only?: readonly string[] | undefined;
  onFinding?: (finding: Finding) => void;
}

/** Calls of one operation in a row, before sequences across operations begin. */
const FIRST_ROUND = 8;
/** What making one finding small may take in that round. */
const FIRST_ROUND_MS = 20_000;
const MAX_FINDINGS = 60;

class AtFault extends Error {
  constructor(readonly finding: Omit<Finding, 'seed'>) {
    super(finding.faults.join('; '));
  }
}

/**
 * Sends requests made from the OpenAPI files and holds every answer to what all answers promise. First each operation by
 * itself, then sequences across all of them, whose later calls use the ids that earlier answers gave.
 */
export class FuzzRun {
  private readonly report: FuzzReport;
  private readonly operations: Operation[];

  constructor(private readonly options: FuzzOptions) {
    const { seed, only } = options;
    this.report = { seed, requests: 0, statuses: new Map(), findings: [], slowest: { operationId: '', ms: 0 } };
    this.operations = documentedOperations().filter(({ operationId }) => only?.includes(operationId) ?? true);
  }

  async run(): Promise<FuzzReport> {
    const { seed, timeMs, rounds = Infinity } = this.options;
    const deadline = Date.now() + timeMs;
    const requests = this.operations.map((operation) => requestOf(operation, resolverOf(operation.app)));
    for (const [nth, request] of requests.entries()) {
      await this.hold(fc.tuple(request), seed + 7919 * nth, FIRST_ROUND, Date.now() + FIRST_ROUND_MS);
    }
    const sequence = fc.array(fc.oneof(...requests), { minLength: 1, maxLength: 6 });
    for (
      let round = 1;
      round <= rounds && Date.now() < deadline && this.report.findings.length < MAX_FINDINGS;
      round++
    ) {
      await this.hold(sequence, seed + round, 200, deadline);
    }
    return this.report;
  }

  /** Tries sequences until one shows a fault, which is then made as small as it gets. */
  private async hold(
    sequences: fc.Arbitrary<FuzzRequest[]>,
    seed: number,
    numRuns: number,
    deadline: number,
  ): Promise<void> {
    let smallest: AtFault | undefined;
    let tries = 0;
    const property = fc.asyncProperty(sequences, async (requests) => {
      if (smallest !== undefined && ++tries > 100) return; // small enough
      try {
        await this.callInTurn(requests);
      } catch (error) {
        if (error instanceof AtFault) smallest = error;
        throw error;
      }
    });
    const interruptAfterTimeLimit = Math.max(1, deadline - Date.now());
    const details = await fc.check(property, { seed, numRuns, interruptAfterTimeLimit, markInterruptAsFailure: false });
    if (!details.failed) return;
    if (smallest === undefined) throw details.errorInstance;
    this.note({ ...smallest.finding, seed });
  }

  private note(finding: Finding): void {
    const { findings } = this.report;
    const same = (one: Finding) => one.operationId === finding.operationId && one.faults[0] === finding.faults[0];
    if (findings.some(same)) return;
    findings.push(finding);
    this.options.onFinding?.(finding);
  }

  private async callInTurn(requests: readonly FuzzRequest[]): Promise<void> {
    const { caller } = this.options;
    const sent: SentRequest[] = [];
    for (const request of requests) {
      const exchange = await send(request, caller);
      sent.push(exchange.sent);
      this.count(request.operation.operationId, exchange);
      const faults = faultsOf(request, exchange, caller);
      learn(request, exchange, caller);
      const { operationId } = request.operation;
      const answer = Buffer.from(exchange.seen?.body ?? [])
        .toString('utf8')
        .slice(0, 600);
      if (faults.length > 0) throw new AtFault({ operationId, faults, sent, answer });
    }
  }

  private count(operationId: string, { seen, ms }: Exchange): void {
    this.report.requests++;
    if (ms > this.report.slowest.ms) this.report.slowest = { operationId, ms };
    const statuses = this.report.statuses.get(operationId) ?? new Map<number, number>();
    const status = seen?.status ?? 0;
    this.report.statuses.set(operationId, statuses.set(status, (statuses.get(status) ?? 0) + 1));
  }
}

/** Keeps what an answer gave: ids for later calls, and the key when it was rotated. */
export function learn({ operation }: FuzzRequest, { seen }: Exchange, caller: Caller): void {
  if (seen === undefined || seen.status >= 300 || operation.operationId === 'signUp') return;
  const text = Buffer.from(seen.body).toString('utf8');
  if (text.length > 200_000 || !/json/.test(seen.headers['content-type'] ?? '')) return;
  caller.own.learn(text);
  const rotated = operation.operationId === 'rotateApiKey' ? /"api_key":"([^"]+)"/.exec(text)?.[1] : undefined;
  if (rotated !== undefined) caller.apiKey = rotated;
}

/** A finding as people read it: what was wrong, and what to send to see it again. */
export function described({ operationId, faults, sent, answer, seed }: Finding): string {
  const calls = sent.map(({ method, url, headers, body }) => {
    const head = headers.map(([name, value]) => `${name}: ${value.slice(0, 120)}`).join(', ');
    return `  ${method} ${url.slice(0, 300)}  [${head}]  ${body === undefined ? '' : body.toString('utf8').slice(0, 500)}`;
  });
  return [`${operationId} (seed ${seed}): ${faults.join('; ')}`, ...calls, `  → ${answer}`].join('\n');
}
