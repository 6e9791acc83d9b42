import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { learn } from './fuzz-run.ts';
import { type FuzzStack, startFuzzStack } from './fuzz-stack.ts';
import { requestWith } from './limit-request.ts';
import { documentedOperations, type Operation, resolverOf } from './operations.ts';
import { send } from './send.ts';
import { type StatedLimit, StatedLimits } from './stated-limits.ts';

/** Where a limit is held in another way than by naming the value, and how. */
const OTHERWISE: [where: (operation: Operation, limit: StatedLimit) => boolean, statuses: number[], why: string][] = [
  [
    (_, { pointer, keyword }) => pointer.startsWith('/query/') && keyword === 'minLength',
    [200, 201],
    'an empty value in a query is none, as forms send it',
  ],
  [
    (_, { pointer, keyword }) => /^\/query\/\w+_id$/.test(pointer) && ['pattern', 'maxLength'].includes(keyword),
    [200],
    'what is no id names nothing: an empty list',
  ],
  [
    (_, { pointer, keyword }) => /^\/\w+_id$/.test(pointer) && ['pattern', 'maxLength'].includes(keyword),
    [404],
    'what is no id names nothing',
  ],
  [
    (_, { pointer, keyword }) => /^\/payload\/(beneficial_owners|related_parties)$/.test(pointer) && keyword === 'type',
    [400],
    'one party may stand in the place of a list, and is then reported by itself',
  ],
  [
    ({ operationId }) => operationId === 'returnPayer',
    [303],
    'browsers come back with whatever the provider says: what is unknown is a failure',
  ],
  [
    ({ operationId }) => operationId === 'receiveUpload',
    [403, 409],
    'the address is signed as a whole, and is looked at before its parts',
  ],
  [
    ({ operationId }, { pointer }) => operationId === 'signEnvelope' && pointer.startsWith('/signature/'),
    [409],
    'the state is looked at first; sign/journey.int.spec.ts has the limits',
  ],
];

/** Members that only some kinds of node have: the document's first kind has none of them. Networks and domains, whose form the values here do not have. */
const NOT_EVERYWHERE = /^\/definition\/nodes\/0\/|^\/(allowed_cidrs|domains)$/;

let fuzz: FuzzStack;

/** Rules and steps can be changed in drafts alone: the latest ones of the caller. */
beforeAll(async () => {
  fuzz = await startFuzzStack();
  const { own, hosts, apiKey } = fuzz.caller;
  const post = async (url: string, body: object = {}) => {
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.ok, url).toBe(true);
    const text = await answer.text();
    own.learn(text);
    return JSON.parse(text) as { id: string };
  };
  const { id } = await post(`${hosts.compliance}/v1/validations`, { code: 'draft', name: 'Draft' });
  await post(`${hosts.compliance}/v1/rules/seed-defaults`, { validation_id: id, subject_type: 'both' });
  await post(`${hosts.platform}/v1/flows/${own.nth('flw', 0)}/clone`);
});
afterAll(() => fuzz?.close());

/** Without those of persons, who sign in by mail: apps/platform/src/identity/wallet/wallet-sessions.int.spec.ts has their limits. */
const limited = documentedOperations()
  .filter(({ ofPerson }) => !ofPerson)
  .map((operation) => new StatedLimits(operation, resolverOf(operation.app)))
  .filter(({ all }) => all.length > 0);

async function answerTo(limits: StatedLimits, limit: StatedLimit, value: unknown) {
  const { caller } = fuzz;
  const latest = (kind: string) => (['val', 'rul', 'flw'].includes(kind) ? caller.own.all(kind).length - 1 : 0);
  const request = requestWith(limits, limit, value, latest);
  const exchange = await send(request, caller);
  learn(request, exchange, caller);
  const text = Buffer.from(exchange.seen?.body ?? []).toString('utf8');
  const status = exchange.seen?.status ?? 0;
  const { errors = [] } = (status === 400 ? JSON.parse(text) : {}) as { errors?: { pointer: string }[] };
  return { status, text: text.slice(0, 400), named: errors.map(({ pointer }) => pointer) };
}

/** An item of a wrong kind may be reported for its list. */
const tells = (named: string, { pointer }: StatedLimit): boolean =>
  named === pointer || named === pointer.replace(/\/0$/, '');

describe('every limit that the OpenAPI files state of a request', () => {
  it('is found in them', () => {
    expect(limited.flatMap(({ all }) => all).length).toBeGreaterThan(500);
  });

  it.each(limited)('is held, and no narrower: $operation.operationId', { timeout: 60_000 }, async (limits) => {
    const faults: string[] = [];
    for (const limit of limits.all) {
      const { pointer, keyword, beyond, within } = limit;
      const refused = await answerTo(limits, limit, beyond);
      const otherwise = OTHERWISE.find(([where]) => where(limits.operation, limit))?.[1] ?? [];
      if (!refused.named.some((each) => tells(each, limit)) && !otherwise.includes(refused.status))
        faults.push(`${pointer} ${keyword} is not held: ${refused.status} ${refused.text}`);
      if (within === undefined || NOT_EVERYWHERE.test(pointer)) continue;
      const kept = await answerTo(limits, limit, within);
      if (kept.named.includes(pointer) || kept.status >= 500)
        faults.push(`${pointer} ${keyword} is narrower than that: ${kept.status} ${kept.text}`);
    }
    expect(faults).toEqual([]);
  });
});
