import 'reflect-metadata';
import { getMetadataStorage } from 'class-validator';
import type { FieldError } from '@constancia/problem-json';
import { pointerTo } from './pointer.ts';

/** What a request class says about its fields: the declared type of each, and which may be null. */
interface Shape {
  types: Map<string, unknown>;
  nullable: Set<string>;
  /** Fields that hold objects of a class of their own, or a list of such. */
  nested: Set<string>;
}

const shapes = new WeakMap<object, Shape>();

const EXPECTED = new Map<unknown, [string, (value: unknown) => boolean]>([
  [String, ['Must be a text.', (value) => typeof value === 'string']],
  [Number, ['Must be a number.', (value) => typeof value === 'number']],
  [Boolean, ['Must be true or false.', (value) => typeof value === 'boolean']],
  [Array, ['Must be a list.', (value) => Array.isArray(value)]],
]);

/**
 * Compares the values of a request with the declared types of its class, which rules alone do not: null where a field may only
 * be left out, a list where an object is meant. Fields declared as unions or free objects are left to the rules.
 */
export function shapeErrors(instance: object, pointer: string, errors: FieldError[]): void {
  const shape = shapeOf(instance.constructor as new () => object);
  for (const name of Object.keys(instance)) {
    const value = (instance as Record<string, unknown>)[name];
    if (value === undefined || !shape.types.has(name)) continue;
    const at = pointerTo(pointer, name);
    if (value === null) {
      if (!shape.nullable.has(name)) errors.push({ pointer: at, code: 'wrong_type', detail: NOT_NULL });
      continue;
    }
    const fault = typeFault(value, shape.types.get(name));
    if (fault !== undefined) errors.push({ pointer: at, code: 'wrong_type', detail: fault });
    else descend(value, at, shape.nested.has(name), errors);
  }
}

const NOT_NULL = 'Must not be null.';

function descend(value: unknown, pointer: string, nested: boolean, errors: FieldError[]): void {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      const at = `${pointer}/${index}`;
      // A list of lists: the rules would look through it, as if its items were the ones that are meant.
      if (nested && Array.isArray(item)) errors.push({ pointer: at, code: 'wrong_type', detail: 'Must be an object.' });
      else if (isRequestObject(item)) shapeErrors(item, at, errors);
    });
  } else if (isRequestObject(value)) shapeErrors(value, pointer, errors);
}

function isRequestObject(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype !== null && prototype !== Object.prototype && !(value instanceof Date) && !Buffer.isBuffer(value);
}

function typeFault(value: unknown, type: unknown): string | undefined {
  const expected = EXPECTED.get(type);
  if (expected !== undefined) return expected[1](value) ? undefined : expected[0];
  if (type === undefined || type === Object || type === Date) return undefined;
  return typeof value === 'object' && !Array.isArray(value) ? undefined : 'Must be an object.';
}

function shapeOf(cls: new () => object): Shape {
  const known = shapes.get(cls);
  if (known !== undefined) return known;
  const shape: Shape = { types: new Map(), nullable: new Set(), nested: new Set() };
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(cls, '', true, false)) {
    shape.types.set(rule.propertyName, Reflect.getMetadata('design:type', cls.prototype as object, rule.propertyName));
    if (rule.type === 'nestedValidation') shape.nested.add(rule.propertyName);
    if (rule.type === 'conditionalValidation' && rule.name !== 'isOptional') shape.nullable.add(rule.propertyName);
  }
  shapes.set(cls, shape);
  return shape;
}
