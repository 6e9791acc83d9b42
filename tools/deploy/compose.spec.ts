import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeConfig, loadConfig } from '@constancia/config';
import { parse } from 'yaml';
import { rolePassword } from '../local/role-password.mjs';
import { CONFIGURED_APPS } from '../openapi/configured-apps.ts';
import { filledIn, variablesIn } from './compose-values.ts';
import { DATABASE_ROLE, type ModuleName, MODULES } from './modules.ts';

interface Service {
  image: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  ports?: string[];
  volumes?: string[];
  restart?: string;
  [field: string]: unknown;
}

const text = fs.readFileSync('deploy/compose/compose.yaml', 'utf8');
const { services, volumes } = parse(text) as { services: Record<string, Service>; volumes: Record<string, object> };
const service = (name: string) => services[name] as Service;
const APPS = MODULES.map(({ name }) => name);
const MIGRATIONS = ['platform-migration', 'compliance-migration', 'signing-migration'];
/** What an app reads that is no variable of its own: the SDK of AWS reads it. */
const OF_SDK = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
/** What the people of a deployment fill in. */
const FILLED_IN: Record<string, string> = {
  SERVICE_ENVIRONMENT: 'production',
  SMTP_URL: 'smtps://user:password@mail.example:465',
  MAIL_FROM: 'Constancia <no-reply@bank.example>',
  SIGNING_CERTIFICATE_SUBJECT: 'CN=Bank, C=CO',
  AWS_REGION: 'us-east-1',
};

describe('the compose file for one machine', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'compose-'));
  const script = path.resolve('deploy/compose/create-env.mjs');
  let env: Record<string, string>;

  const filled = (value: string) => filledIn(value, env);
  const environmentOf = (name: string) =>
    Object.fromEntries(Object.entries(service(name).environment ?? {}).map(([key, value]) => [key, filled(value)]));

  beforeAll(() => {
    execFileSync(process.execPath, [script, '1.2.0', folder]);
    const written = variablesIn(path.join(folder, '.env'));
    const given = (name: string) => FILLED_IN[name] ?? (name.endsWith('_HOST') ? 'host.bank.example' : `of-${name}`);
    const optional = new Set([...text.matchAll(/\$\{(\w+):-\}/g)].map(([, name]) => name as string));
    env = Object.fromEntries(
      Object.entries(written).map(([name, value]) => [name, value || (optional.has(name) ? '' : given(name))]),
    );
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('has the six images, PostgreSQL, Redis and an S3 store, and what is done before the apps', () => {
    expect(Object.keys(services).sort()).toEqual(
      [...APPS, ...MIGRATIONS, 'postgres', 'redis', 's3', 'bucket', 'database'].sort(),
    );
    for (const name of APPS) expect(filled(service(name).image)).toBe(`constancia/${name}:1.2.0`);
  });

  it.each(CONFIGURED_APPS)('gives $name what it requires, and nothing that it does not know', ({ name, serves }) => {
    const rows = describeConfig(serves);
    const given = Object.keys(service(name).environment ?? {});
    expect(rows.filter(({ name: each, required }) => required && !given.includes(each))).toEqual([]);
    const known = rows.map(({ name: each }) => each);
    expect(given.filter((each) => !known.includes(each) && !OF_SDK.includes(each))).toEqual([]);
    expect(() => loadConfig(serves, environmentOf(name))).not.toThrow();
  });

  it('gives every app what its manifests give it', () => {
    for (const { name, settings, secrets } of MODULES) {
      const wanted = [...Object.keys(settings), ...secrets.own, ...secrets.shared];
      expect(Object.keys(service(name).environment ?? {})).toEqual(expect.arrayContaining(wanted));
    }
  });

  it('brings the schemas up to date before the apps, the platform’s first', () => {
    const completed = { condition: 'service_completed_successfully' };
    for (const { name, migrates } of CONFIGURED_APPS.filter(({ migrates }) => migrates !== undefined)) {
      const migration = `${name}-migration`;
      expect(service(migration)).toMatchObject({ command: ['migrate'], image: service(name).image });
      expect(() => loadConfig(migrates as new () => object, environmentOf(migration))).not.toThrow();
      expect(service(migration).depends_on).toEqual({
        [name === 'platform' ? 'database' : 'platform-migration']: completed,
      });
    }
    for (const name of APPS) {
      const schema = DATABASE_ROLE[name as ModuleName].replace('identity', 'platform');
      expect(service(name).depends_on).toMatchObject({ [`${schema}-migration`]: completed, bucket: completed });
    }
  });

  it('asks every process that stays for its health, and waits for stores that are healthy', () => {
    for (const name of [...APPS, 'postgres', 'redis', 's3']) {
      expect(service(name).healthcheck?.test[0], name).toBe('CMD');
      expect(service(name).restart).toBe('unless-stopped');
    }
    for (const [name, { depends_on = {} }] of Object.entries(services))
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const stays = service(other).healthcheck !== undefined;
        expect(condition, `${name} → ${other}`).toBe(stays ? 'service_healthy' : 'service_completed_successfully');
      }
  });

  it('opens ports to this machine alone, each once', () => {
    const ports = Object.values(services).flatMap((each) => each.ports ?? []);
    const outer = ports.map((port) => /^127\.0\.0\.1:(\d+):\d+$/.exec(port)?.[1]);
    expect(outer).not.toContain(undefined);
    expect(new Set(outer).size).toBe(ports.length);
    for (const { name, ports: inner } of MODULES)
      expect(service(name).ports?.map((port) => Number(port.split(':')[2]))).toEqual(Object.values(inner));
    expect([service('postgres').ports, service('redis').ports]).toEqual([undefined, undefined]);
  });

  it('runs our images as a restricted pod would', () => {
    for (const name of [...APPS, ...MIGRATIONS, 'database'])
      expect(service(name)).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    for (const name of APPS) expect(service(name)).toHaveProperty('mem_limit');
  });

  it('keeps what must last in volumes', () => {
    expect(Object.keys(volumes)).toEqual(['postgres', 's3']);
    expect(service('postgres').volumes).toEqual(['postgres:/var/lib/postgresql/data']);
    expect(service('s3').volumes).toEqual(['s3:/data']);
  });

  it('has no password: every value of .env is made for one deployment, or filled in', () => {
    const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name as string));
    expect([...used].filter((name) => !(name in env) && name !== 'REGISTRY')).toEqual([]);
    expect(Object.keys(env).filter((name) => !used.has(name))).toEqual([]);
    expect(text.match(/\$\{\w+:-[^}]+\}/)).toBeNull();
    const other = path.join(folder, 'other');
    fs.mkdirSync(other);
    execFileSync(process.execPath, [script, '1.2.0', other]);
    const first = variablesIn(path.join(folder, '.env'));
    const second = variablesIn(path.join(other, '.env'));
    const same = Object.keys(first).filter((name) => first[name] !== '' && first[name] === second[name]);
    expect(same).toEqual(['CONSTANCIA_VERSION']);
    expect(fs.statSync(path.join(folder, '.env')).mode & 0o077).toBe(0);
  });

  it('never replaces the secrets of a deployment', () => {
    const before = fs.readFileSync(path.join(folder, '.env'), 'utf8');
    expect(spawnSync(process.execPath, [script, '1.2.1', folder]).status).not.toBe(0);
    expect(fs.readFileSync(path.join(folder, '.env'), 'utf8')).toBe(before);
  });

  it('gives roles of the database the passwords that the bootstrap gives them', () => {
    for (const name of APPS) {
      const { username, password } = new URL(environmentOf(name).DATABASE_URL as string);
      expect(username).toBe(`${DATABASE_ROLE[name as ModuleName]}_app`);
      expect(password).toBe(rolePassword(env.ROLES_SECRET as string, username));
    }
    const owner = new URL(environmentOf('signing-migration').MIGRATION_DATABASE_URL as string);
    expect(owner.password).toBe(rolePassword(env.ROLES_SECRET as string, 'signing_owner'));
  });
});
