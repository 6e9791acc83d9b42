import { createHash } from 'node:crypto';
import { ConfigInvalid, describeConfig, loadConfig } from '@constancia/config';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IConfigMap, IContainer } from 'kubernetes-models/v1';
import { CONFIGURED_APPS } from '../../openapi/configured-apps.ts';
import type { KubeObject } from '../kustomization.ts';
import type { ExternalSecret } from '../objects/secrets.ts';
import { all, one, type Policy, type Subject } from './subject.ts';

type ConfigClass = new () => object;

/** What may stand for a secret that is not known here, so that a configuration can be tried. */
const STAND_INS: [RegExp, (name: string) => string][] = [
  [/DATABASE_(DIRECT_)?URL$/, () => 'postgres://role:password@postgres:5432/constancia?sslmode=verify-full'],
  [/^REDIS_URL$/, () => 'rediss://:password@redis:6379'],
  [/^SMTP_URL$/, () => 'smtps://user:password@mail:587'],
  [/_KEY$/, (name) => createHash('sha256').update(name).digest('base64')],
  [/_SECRETS$/, (name) => createHash('sha256').update(name).digest('hex')],
  [/_TOKEN$/, (name) => createHash('sha256').update(name).digest('hex')],
];

function classesOf({ module }: Subject): { serves: ConfigClass; migrates?: ConfigClass } {
  const found = CONFIGURED_APPS.find(({ name }) => name === module.name);
  if (found === undefined) throw new Error(`${module.name} is in no table of configurations`);
  return found;
}

/** What a container gets from where: name, value where it is known, and whether it comes from the secret store. */
interface Given {
  name: string;
  value?: string;
  secret: boolean;
}

function given(objects: readonly KubeObject[], container: IContainer): { variables: Given[]; missing: string[] } {
  const variables: Given[] = (container.env ?? []).map(({ name, value }) => ({ name, value, secret: false }));
  const missing: string[] = [];
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    const map = all<IConfigMap>(objects, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef?.name);
    const secret = all<ExternalSecret>(objects, 'ExternalSecret').find(
      ({ spec }) => spec?.target?.name === secretRef?.name && secretRef !== undefined,
    );
    if (configMapRef !== undefined && map === undefined) missing.push(`no ConfigMap ${configMapRef.name}`);
    if (secretRef !== undefined && secret === undefined) missing.push(`no ExternalSecret makes ${secretRef.name}`);
    for (const [name, value] of Object.entries(map?.data ?? {})) variables.push({ name, value, secret: false });
    for (const { secretKey } of secret?.spec?.data ?? []) variables.push({ name: secretKey, secret: true });
  }
  return { variables, missing };
}

function against(cls: ConfigClass, { variables, missing }: ReturnType<typeof given>): string[] {
  const known = new Map(describeConfig(cls).map((row) => [row.name, row]));
  const problems = [...missing];
  const names = new Set<string>();
  for (const { name, secret } of variables) {
    const row = known.get(name);
    if (names.has(name)) problems.push(`${name} is given twice`);
    names.add(name);
    if (row === undefined) problems.push(`${name} is no variable of the app`);
    else if (row.secret && !secret) problems.push(`${name} is a secret and stands in the open`);
    else if (!row.secret && secret) problems.push(`${name} is no secret and is kept as one`);
  }
  for (const { name, required } of known.values()) {
    if (required && !names.has(name)) problems.push(`${name} is required`);
  }
  return problems;
}

const appOf = ({ release }: Subject) =>
  one<IDeployment>(release, 'Deployment').spec?.template.spec?.containers[0] as IContainer;
const jobOf = ({ migration }: Subject) => one<IJob>(migration, 'Job').spec?.template.spec?.containers[0] as IContainer;

export const CONFIGURATION: readonly Policy[] = [
  {
    rule: 'An app is given the variables that it knows, all that it requires, and secrets from the secret store only',
    check: (subject) => against(classesOf(subject).serves, given(subject.release, appOf(subject))),
  },
  {
    rule: 'The migrate command is given what it knows and requires, and no app what is the owner’s',
    check: (subject) => {
      const { migrates } = classesOf(subject);
      if (migrates === undefined) return [];
      const own = describeConfig(migrates).map(({ name }) => name);
      const leaked = given(subject.release, appOf(subject)).variables.filter(({ name }) => own.includes(name));
      return [
        ...against(migrates, given(subject.migration, jobOf(subject))),
        ...leaked.map(({ name }) => `${name} is given to the app`),
      ];
    },
  },
  {
    rule: 'An app accepts the values that it is given',
    check: (subject) => {
      const { variables } = given(subject.release, appOf(subject));
      const env = variables.map(({ name, value }) => [
        name,
        value ?? STAND_INS.find(([pattern]) => pattern.test(name))?.[1](name) ?? '',
      ]);
      try {
        loadConfig(classesOf(subject).serves, Object.fromEntries(env) as NodeJS.ProcessEnv);
        return [];
      } catch (error) {
        if (error instanceof ConfigInvalid) return error.problems;
        throw error;
      }
    },
  },
  {
    rule: 'An app gets the environment that it is in, its ports as its containers have them, and a queue in Redis',
    check: (subject) => {
      const { variables } = given(subject.release, appOf(subject));
      const value = (name: string) => variables.find((variable) => variable.name === name)?.value;
      const { http, sign, console, person, ops } = subject.module.ports;
      const expected: [string, string | undefined][] = [
        ['SERVICE_ENVIRONMENT', subject.environment.kind],
        ['OPS_PORT', String(ops)],
        ['PORT', http?.toString()],
        ['SIGN_PORT', sign?.toString()],
        ['CONSOLE_PORT', console?.toString()],
        ['PERSON_PORT', person?.toString()],
      ];
      return [
        ...expected.flatMap(([name, wanted]) => (value(name) === wanted ? [] : [`${name} is ${value(name)}`])),
        ...(variables.some(({ name }) => name === 'REDIS_URL') ? [] : ['REDIS_URL is not given']),
      ];
    },
  },
  {
    rule: 'A secret is fetched anew within minutes, under a name of its environment',
    check: ({ release, migration, environment }) =>
      all<ExternalSecret>([...release, ...migration], 'ExternalSecret').flatMap(({ metadata, spec }) => [
        ...(spec?.refreshInterval === '5m' ? [] : [`${metadata.name} is refreshed every ${spec?.refreshInterval}`]),
        ...(spec?.data ?? []).flatMap(({ remoteRef }) =>
          remoteRef.key.startsWith(`${environment.secrets.prefix}/`) ? [] : [`${remoteRef.key} is of elsewhere`],
        ),
      ]),
  },
];
