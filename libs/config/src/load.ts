import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { variablesOf, type Variable } from './env.ts';
import { productionProblems, type Setting } from './production-rules.ts';

/** The environment does not make a valid configuration; `problems` names every variable at fault, one each. */
export class ConfigInvalid extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigInvalid';
  }
}

/** A row of the table of variables. */
export interface VariableRow {
  name: string;
  description: string;
  default: string | undefined;
  secret: boolean;
  required: boolean;
}

/**
 * Builds a configuration object from the environment: fields by `@Env`, rules by class-validator decorators on them. An empty
 * variable counts as not set. With SERVICE_ENVIRONMENT=production the rules of
 * production apply too. Throws ConfigInvalid with ALL problems at once; values of secrets are never in it.
 */
export function loadConfig<T extends object>(cls: new () => T, env: NodeJS.ProcessEnv = process.env): T {
  const config = new cls();
  const problems: string[] = [];
  const faulty = new Set<string>();
  const variables = variablesOf(cls);
  const settings: Setting[] = [];
  for (const variable of variables) {
    const text = env[variable.name]?.trim() || variable.default;
    if (text === undefined) {
      if (isOptional(cls, variable) || Reflect.get(config, variable.property) !== undefined) continue;
      problems.push(`${variable.name} is required: ${variable.description}`);
      faulty.add(variable.property);
      continue;
    }
    const value = parse(variable, text);
    if (value === undefined) {
      problems.push(`${variable.name} must be ${EXPECTED[variable.type]}${shown(variable, text)}`);
      faulty.add(variable.property);
    } else {
      Reflect.set(config, variable.property, value);
      settings.push({ variable, text });
    }
  }
  const rules = validateSync(config, { forbidUnknownValues: false, stopAtFirstError: false });
  for (const error of rules) {
    if (!faulty.has(error.property)) problems.push(...messages(error, variables));
  }
  if (env.SERVICE_ENVIRONMENT?.trim() === 'production') {
    const invalid = new Set([...faulty, ...rules.map(({ property }) => property)]);
    const accepted = (env.ACCEPTED_CLEARTEXT ?? '').split(',').map((connection) => connection.trim());
    const readable = settings.filter(({ variable }) => !invalid.has(variable.property));
    problems.push(...productionProblems(readable, accepted));
  }
  if (problems.length > 0) throw new ConfigInvalid(problems);
  return config;
}

/** The table of variables of a configuration class, for the documentation. */
export function describeConfig(cls: new () => object): VariableRow[] {
  return variablesOf(cls).map((variable) => ({
    name: variable.name,
    description: variable.description,
    default: variable.default,
    secret: variable.secret === true,
    required: variable.default === undefined && !isOptional(cls, variable),
  }));
}

const EXPECTED = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  list: 'a comma-separated list',
};

function parse(variable: Variable, text: string): unknown {
  switch (variable.type) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return /^(true|1)$/i.test(text) ? true : /^(false|0)$/i.test(text) ? false : undefined;
    case 'list':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    case 'string':
      return text;
  }
}

function shown(variable: Variable, text: string): string {
  return variable.secret ? '' : `, not ${JSON.stringify(text.slice(0, 100))}`;
}

function messages(error: ValidationError, variables: Variable[]): string[] {
  const variable = variables.find(({ property }) => property === error.property);
  const name = variable?.name ?? error.property;
  return Object.values(error.constraints ?? {}).map((message) => {
    const rule = message.startsWith(`${error.property} `) ? message.slice(error.property.length + 1) : message;
    return rule.startsWith(name) ? rule : `${name} ${rule}`;
  });
}

function isOptional(cls: new () => object, variable: Variable): boolean {
  return getMetadataStorage()
    .getTargetValidationMetadatas(cls, '', false, false)
    .some(({ propertyName, type }) => propertyName === variable.property && type === 'conditionalValidation');
}
