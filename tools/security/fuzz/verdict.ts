import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ContractChecker, ContractViolation, type SeenResponse } from '@constancia/testing';
import { WORKSPACE } from '../../build/sources.mjs';
import { IdRef } from './known-ids.ts';
import { resolverOf } from './operations.ts';
import type { FuzzRequest } from './requests.ts';
import type { Caller, Exchange } from './send.ts';

/** Slugs that the published catalogue explains. */
const SLUGS = new Set(
  [...readFileSync(path.join(WORKSPACE, 'docs/reference/problems.md'), 'utf8').matchAll(/^\| `([a-z-]+)`/gm)].map(
    ([, slug]) => slug as string,
  ),
);
const RATE_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
];
/** Operations that may say 503 in a deployment that lacks nothing, and why. */
const MAY_BE_UNAVAILABLE: Record<string, string> = {
  advanceFlowSession: 'dependency-unavailable', // the tenant has published no validation for the sarlaft step
};
/** What only a stack trace, a query or a file name of ours looks like. */
const INTERNAL =
  /node_modules|\/apps\/|\bat \w[\w.]* \(|\.ts:\d+|\b(?:select|insert into|update) [\w".]+ (?:from|set|values)\b|violates \w+ constraint|syntax error at|invalid input syntax|22P02|TypeError|undefined is not/i;
/** Longer than any answer takes on a busy machine; a bad expression or query takes as long as it is let. */
const SLOW_MS = 20_000;
/** Waits for work by design, up to 25 s. */
const WAITS = new Set(['advanceFlowSession']);

/** What is wrong with an answer; nothing: it keeps every promise. */
export function faultsOf(request: FuzzRequest, { sent, seen, ms }: Exchange, caller: Caller): string[] {
  if (seen === undefined) return ['the connection ended without a readable answer'];
  const { operationId } = request.operation;
  const text = seen.body.length < 300_000 ? Buffer.from(seen.body).toString('utf8') : '';
  const faults = [
    ...contractFaults(request, seen),
    ...problemFaults(operationId, seen, text, sent.method),
    ...RATE_HEADERS.filter((name) => seen.headers[name] === undefined).map((name) => `header ${name} is missing`),
    ...tenancyFaults(request, text, seen.status, caller),
  ];
  if (injectsStrangeMember(request) && seen.status < 400)
    faults.push('a member that the body does not have was accepted');
  if (ms > SLOW_MS && !WAITS.has(operationId)) faults.push(`took ${Math.round(ms)} ms`);
  return faults;
}

/** Refusals are problems with a published slug that tell nothing of the inside; failures of the service are not allowed. */
function problemFaults(operationId: string, seen: SeenResponse, text: string, method: string): string[] {
  if (seen.status < 400 || method === 'HEAD') return seen.status < 500 ? [] : [`answered ${seen.status}`];
  if (!/problem\+json/.test(seen.headers['content-type'] ?? ''))
    return [`a ${seen.status} that is no problem document`];
  const slug = slugOf(text);
  const faults: string[] = [];
  const expected = seen.status === 503 && MAY_BE_UNAVAILABLE[operationId] === slug;
  if (seen.status >= 500 && !expected) faults.push(`answered ${seen.status} ${slug}`);
  if (slug === undefined || !SLUGS.has(slug)) faults.push(`the slug ${slug} is not in docs/reference/problems.md`);
  if (INTERNAL.test(text)) faults.push(`the problem shows the inside: ${text.slice(0, 300)}`);
  return faults;
}

function contractFaults({ operation }: FuzzRequest, seen: SeenResponse): string[] {
  try {
    ContractChecker.of(operation.app).check(seen);
    return [];
  } catch (error) {
    if (error instanceof ContractViolation) return [error.message];
    throw error;
  }
}

function slugOf(text: string): string | undefined {
  try {
    return String((JSON.parse(text) as { type?: unknown }).type)
      .split('/')
      .at(-1);
  } catch {
    return undefined;
  }
}

/** An id that is another tenant's or nobody's leads nowhere, and nothing of another tenant is ever shown. */
function tenancyFaults(request: FuzzRequest, text: string, status: number, caller: Caller): string[] {
  const { operation } = request;
  const faults: string[] = [];
  const strangers = Object.values(request.path).filter((value) => value instanceof IdRef && value.whose !== 'own');
  if (strangers.length > 0 && !operation.public && status < 400) faults.push(`${strangers.join()} was found`);
  const asked = JSON.stringify([request.path, request.query, request.body, request.headers]);
  if (!asked.includes('<foreign')) {
    for (const kind of caller.foreign.kinds) {
      const shown = caller.foreign.all(kind).find((id) => id.length > 20 && text.includes(id));
      if (shown !== undefined && !SHARED.has(kind) && !caller.own.all(kind).includes(shown)) {
        faults.push(`shows ${kind} ${shown}, which is another tenant's`);
      }
    }
  }
  return faults;
}

/** What every tenant may see: the service's own keys, digests of the same file. */
const SHARED = new Set(['fingerprint', 'sha256', 'cursor']);

/** Whether all that is wrong with the request is one member too many, at the top of its body: no body here allows that. */
function injectsStrangeMember({ operation, body, twist }: FuzzRequest): boolean {
  const [mutation, ...more] = twist.body;
  const schema = operation.bodies.get('application/json');
  if (mutation?.kind !== 'inject' || mutation.at !== 0 || more.length > 0 || schema === undefined) return false;
  const { properties = {} } = resolverOf(operation.app)(schema);
  const isObject = typeof body?.value === 'object' && body.value !== null && !Array.isArray(body.value);
  return isObject && !Object.hasOwn(properties, mutation.member[0]);
}
