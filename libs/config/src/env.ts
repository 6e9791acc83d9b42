import 'reflect-metadata';
import type { Connection } from './cleartext.ts';

/** What a variable holds. A list is comma-separated. */
export type VariableType = 'string' | 'integer' | 'boolean' | 'list';

/** What the rules of production check (production-rules.ts). */
export type Sensitive = 'keys' | 'token' | Connection;

/** How a field of a configuration class is filled. */
export interface EnvOptions {
  /** One sentence for the generated table of variables. */
  description: string;
  /** As it would be written in the environment. */
  default?: string;
  /** Never printed: neither by errors nor in the table. */
  secret?: boolean;
  /** Keys, a token, or the address of something that must be encrypted in production. */
  holds?: Sensitive;
  /** Left out: read from the field's own type (string, number → integer, boolean, array → list). */
  type?: VariableType;
}

/** A field of a configuration class and the variable behind it. */
export interface Variable extends EnvOptions {
  name: string;
  property: string;
  type: VariableType;
}

const VARIABLES = Symbol('constancia:config-variables');

/** Binds a field of a configuration class to an environment variable. */
export function Env(name: string, options: EnvOptions): PropertyDecorator {
  return (target, property) => {
    const variables = new Map(declared(target));
    const type = options.type ?? typeOf(Reflect.getMetadata('design:type', target, property));
    variables.set(String(property), { ...options, name, property: String(property), type });
    Reflect.defineMetadata(VARIABLES, variables, target);
  };
}

/** The variables of a configuration class, inherited ones first. */
export function variablesOf(cls: new () => object): Variable[] {
  return [...declared(cls.prototype as object).values()];
}

function declared(prototype: object): Map<string, Variable> {
  return (Reflect.getMetadata(VARIABLES, prototype) as Map<string, Variable> | undefined) ?? new Map();
}

function typeOf(designType: unknown): VariableType {
  if (designType === Number) return 'integer';
  if (designType === Boolean) return 'boolean';
  if (designType === Array) return 'list';
  return 'string';
}
