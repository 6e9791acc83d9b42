import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError as RuleError } from 'class-validator';
import { ValidationError, type FieldError } from '@constancia/problem-json';
import { codeOf, TYPE_RULES } from './codes.ts';
import { unknownMember } from './names.ts';
import { pointerTo } from './pointer.ts';
import { convertQuery } from './query.ts';
import { shapeErrors } from './shape.ts';

/** Where the parts of a request begin in a pointer. A body begins at the root. */
const ROOTS: Partial<Record<ArgumentMetadata['type'], string>> = { body: '', query: '/query', param: '/path' };

/**
 * Checks bodies, queries and path parameters against their request classes (class-validator rules) and reports everything wrong
 * with one of them at once, with pointers. Unknown members are refused. Bodies are never converted; query texts are, strictly.
 */
export class RequestPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const root = ROOTS[metadata.type];
    const { metatype } = metadata;
    if (root === undefined || metatype === undefined) return value;
    if (metadata.data !== undefined) return single(value, pointerTo(root, metadata.data), metatype);
    if (!isRequestClass(metatype)) return value;
    return checked(
      metadata.type === 'query' ? convertQuery(value, metatype, root) : value === undefined ? {} : value,
      metatype,
      root,
    );
  }
}

/** Checks a value against a request class, wherever it came from. `root` is the pointer of the value itself. */
export function checked<T extends object>(value: unknown, cls: Type<T>, root: string): T {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new ValidationError([{ pointer: root, code: 'wrong_type', detail: 'Must be an object.' }]);
  }
  const instance = plainToInstance(cls, value, { enableImplicitConversion: false, enableCircularCheck: false });
  const errors: FieldError[] = [];
  shapeErrors(instance, root, errors);
  const broken = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: false,
    validationError: { target: false },
  });
  if (errors.length === 0 && broken.length === 0) return instance;
  const seen = new Set(errors.map(({ pointer }) => pointer));
  for (const error of broken) collect(error, root, seen, errors);
  throw new ValidationError(errors.sort(byPointer));
}

function collect(error: RuleError, parent: string, seen: Set<string>, errors: FieldError[]): void {
  const pointer = pointerTo(parent, error.property);
  if (seen.has(pointer)) return;
  if (error.constraints !== undefined) errors.push(...broken(error, pointer));
  for (const child of error.children ?? []) collect(child, pointer, seen, errors);
}

function broken(error: RuleError, pointer: string): FieldError[] {
  const rules = Object.entries(error.constraints ?? {});
  if (rules.some(([rule]) => rule === 'whitelistValidation')) {
    return [unknownMember(pointer)];
  }
  if (error.value === undefined) return [{ pointer, code: 'required', detail: 'Add this member.' }];
  const ofType = rules.filter(([rule]) => TYPE_RULES.has(rule));
  const reported = ofType.length > 0 ? ofType.slice(0, 1) : rules.reverse();
  const codes = new Set<string>();
  return reported.flatMap(([rule, message]) => {
    const code = codeOf(rule);
    if (codes.has(code)) return [];
    codes.add(code);
    return [{ pointer, code, detail: sentence(message, error.property, rule) }];
  });
}

/** class-validator's message without the name of the member, which the pointer gives, as a sentence. */
function sentence(message: string, property: string, rule: string): string {
  if (rule === 'nestedValidation') return 'Must be an object.';
  const rest = message
    .replace(new RegExp(`^each value in ${escape(property)} `), 'each item ')
    .replace(new RegExp(`^(?:nested property )?${escape(property)} `), '')
    .replace(/ regular expression$/, '');
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}${/[.!?]$/.test(rest) ? '' : '.'}`;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A single query value or path parameter: the text itself, or a number or boolean where the handler declares one. */
function single(value: unknown, pointer: string, metatype: unknown): unknown {
  if (value === undefined || value === '') return undefined;
  const fail = (detail: string) => new ValidationError([{ pointer, code: 'wrong_type', detail }]);
  if (metatype === String && typeof value !== 'string') throw fail('Give this once.');
  if (metatype === Number) {
    if (typeof value !== 'string' || !/^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)) throw fail('Must be a number.');
    return Number(value);
  }
  if (metatype === Boolean) {
    if (value !== 'true' && value !== 'false') throw fail('Must be true or false.');
    return value === 'true';
  }
  return value;
}

const PRIMITIVES = new Set<unknown>([String, Number, Boolean, Array, Object, Buffer, Date]);

function isRequestClass(metatype: unknown): metatype is Type<object> {
  return typeof metatype === 'function' && !PRIMITIVES.has(metatype);
}

function byPointer(left: FieldError, right: FieldError): number {
  return left.pointer < right.pointer ? -1 : left.pointer > right.pointer ? 1 : 0;
}
