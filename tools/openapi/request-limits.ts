import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { DECORATORS } from '@nestjs/swagger';
import { getMetadataStorage } from 'class-validator';
import { shape } from '@constancia/contracts';

type Schema = Record<string, unknown>;

/** What ApiProperty stated of a member: a schema, with the class of the member as its type, or a function that returns it. */
type Statement = Schema & { type?: unknown; isArray?: boolean; items?: unknown };

/** What each rule of class-validator means in JSON Schema. An empty schema: the type of the member says it already. */
const MEANING: Record<string, (...constraints: never[]) => Schema> = {
  minLength: (minLength: number) => ({ minLength }),
  maxLength: (maxLength: number) => ({ maxLength }),
  isLength: (minLength: number, maxLength?: number) => ({ minLength, ...(maxLength !== undefined && { maxLength }) }),
  // Readers of OpenAPI files differ on patterns that need the flag u; what those ask for is said in descriptions.
  matches: ({ source, unicode }: RegExp) => (unicode ? {} : { pattern: source }),
  isEmail: () => ({ format: 'email' }),
  isUuid: () => ({ format: 'uuid' }),
  isInstant: () => shape.period,
  isDay: () => shape.day,
  isEventTime: () => shape.period,
  isIn: (values: readonly unknown[]) => ({ enum: values, type: typeof values[0] }),
  equals: (value: unknown) => ({ enum: [value], type: typeof value }),
  min: (minimum: number) => ({ minimum }),
  max: (maximum: number) => ({ maximum }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  arrayMinSize: (minItems: number) => ({ minItems }),
  arrayMaxSize: (maxItems: number) => ({ maxItems }),
  arrayUnique: () => ({ uniqueItems: true }),
  isString: () => ({}),
  isBoolean: () => ({}),
  isArray: () => ({}),
  isObject: () => ({}),
  isOptional: () => ({}),
  // What JSON Schema has no words for: the description of the member says it.
  isMailedText: () => ({}),
  isMetadata: () => ({}),
  isFieldValue: () => ({}),
  isRoleMap: () => ({}),
  isCidr: () => ({}),
  blank: () => ({}),
};

const WITHOUT_LIMITS = ['nestedValidation', 'conditionalValidation', 'whitelistValidation'];

/**
 * Adds the limits that class-validator enforces on the members of a request class, and of the classes of its members, to what
 * ApiProperty states of them. Throws when ApiProperty repeats one: each limit is stated once, by its rule.
 */
export function stateLimits(request: Type, done = new Set<Type>()): void {
  if (done.has(request)) return;
  done.add(request);
  const limits = limitsOf(request);
  const prototype = request.prototype as object;
  for (const name of documentedMembers(prototype)) {
    const stated = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, name) as Statement;
    const own = limits.get(name);
    if (own !== undefined) {
      const statement = withLimits(stated, own, `${request.name}.${name}`);
      Reflect.defineMetadata(DECORATORS.API_MODEL_PROPERTIES, statement, prototype, name);
    }
    const nested = classOf(stated.type);
    if (nested !== undefined) stateLimits(nested, done);
  }
}

interface Limits {
  member: Schema;
  /** Of each item of a list. */
  items: Schema;
}

function limitsOf(request: Type): Map<string, Limits> {
  const limits = new Map<string, Limits>();
  const rules = getMetadataStorage().getTargetValidationMetadatas(request, '', true, false);
  for (const rule of rules.reverse()) {
    // as they are written: decorators are applied from the last to the first
    if (WITHOUT_LIMITS.includes(rule.type)) continue;
    const meaning = MEANING[rule.name ?? ''];
    if (meaning === undefined) throw new Error(`no schema says what the rule ${rule.name} of ${request.name} means`);
    const own = limits.get(rule.propertyName) ?? { member: {}, items: {} };
    Object.assign(rule.each ? own.items : own.member, meaning(...((rule.constraints ?? []) as never[])));
    limits.set(rule.propertyName, own);
  }
  return limits;
}

/** Statements that have their limits: a class may be documented again, or inherit them. */
const completed = new WeakSet<Statement>();

function withLimits(stated: Statement, { member, items }: Limits, at: string): Statement {
  if (completed.has(stated)) return stated;
  refuseRepeated(stated, member, at);
  const { type, ...others } = stated;
  const statement: Statement = { type, ...member, ...others };
  if (Object.keys(items).length > 0) {
    const ofItems = (stated.items ?? {}) as Schema;
    refuseRepeated(ofItems, items, at);
    Object.assign(statement, { type: 'array', isArray: true, items: { type: 'string', ...items, ...ofItems } });
  }
  completed.add(statement);
  return statement;
}

function refuseRepeated(stated: Schema, limits: Schema, at: string): void {
  const repeated = Object.keys(limits).filter((limit) => limit !== 'type' && limit in stated);
  if (repeated.length > 0) throw new Error(`${at}: its rules state ${repeated.join(', ')}: remove it from ApiProperty`);
}

function documentedMembers(prototype: object): string[] {
  const names = (Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype) ?? []) as string[];
  return names.map((name) => name.slice(1)); // each begins with a colon
}

/** The documented class of a member, where it has one. */
function classOf(type: unknown): Type | undefined {
  if (typeof type !== 'function') return undefined;
  const named: unknown = type.prototype === undefined ? (type as () => unknown)() : type; // an arrow function has no prototype
  const cls: unknown = Array.isArray(named) ? named[0] : named;
  return typeof cls === 'function' && documentedMembers(cls.prototype as object).length > 0 ? (cls as Type) : undefined;
}
