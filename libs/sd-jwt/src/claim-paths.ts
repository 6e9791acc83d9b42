import type { Json } from '@constancia/kernel';
import { isJsonObject } from '@constancia/signed-jwt';

/** Where a claim stands: names of members and indexes of elements, from the top. */
export type ClaimPath = readonly (string | number)[];

/** Selects claims: names of members, indexes of elements, null for every element of an array (SD-JWT VC, claim path). */
export type ClaimPathPattern = readonly (string | number | null)[];

export const pathKey = (path: ClaimPathPattern): string => JSON.stringify(path);

/** The places of all claims that a pattern selects. */
export function selectedPaths(value: Json, pattern: ClaimPathPattern, from: ClaimPath = []): ClaimPath[] {
  const [step, ...rest] = pattern;
  if (step === undefined) return [from];
  return childrenAt(value, step).flatMap(([name, child]) => selectedPaths(child, rest, [...from, name]));
}

function childrenAt(value: Json, step: string | number | null): [string | number, Json][] {
  if (Array.isArray(value))
    return [...value.entries()].filter(([index]) => step === null || index === step) as [number, Json][];
  if (!isJsonObject(value) || typeof step !== 'string' || !Object.hasOwn(value, step)) return [];
  return [[step, value[step] as Json]];
}

/** Whether one of two places is the other, or inside it. */
export const isAlong = (one: ClaimPath, other: ClaimPath): boolean =>
  one.every((step, depth) => depth >= other.length || step === other[depth]);
