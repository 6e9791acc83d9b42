import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { committedEnvironments, environmentFrom, ValuesInvalid } from './environments.ts';
import { POLICIES } from './policies/policies.ts';
import { subjects } from './policies/subject.ts';

const GOOD = fs.readFileSync('deploy/values/sandbox.yaml', 'utf8');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'values-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A values file like the sandbox's but for one text. */
function values(name: string, from: RegExp | string = '', to = ''): string {
  const file = path.join(folder, name);
  const text = GOOD.replace(from, to);
  if (from !== '') expect(text).not.toBe(GOOD);
  fs.writeFileSync(file, text);
  return file;
}

function problems(file: string): readonly string[] {
  try {
    environmentFrom(file);
    return [];
  } catch (error) {
    if (error instanceof ValuesInvalid) return error.problems;
    throw error;
  }
}

describe('the values of an environment', () => {
  it('are committed for a sandbox and a production', () => {
    expect(committedEnvironments().map(({ name }) => name)).toEqual(['production', 'sandbox']);
  });

  it('have defaults where most clusters are alike', () => {
    const { monitoring, tracing, ingress, pooler, replica, texts } = environmentFrom(
      values('defaults.yaml', /^texts:\n(?: {2}.*\n)+|^ {2}kind: ingress\n/gm),
    );
    expect(monitoring.prometheus).toBe('http://prometheus-operated.monitoring.svc:9090');
    expect(tracing).toMatchObject({ namespace: 'observability', port: 4318 });
    expect(ingress.kind).toBe('ingress');
    expect(pooler.enabled).toBe(false);
    expect(replica.enabled).toBe(false);
    expect(texts).toEqual({ smsPool: '', whatsAppNumber: '', whatsAppTemplate: '' });
  });

  it.each([
    [
      'a host that is missing',
      /^ {2}sign: .*\n/m,
      '',
      'hosts.sign is missing: it must be the DNS name of the pages of signers',
    ],
    [
      'a host with a scheme',
      'sign: sign.',
      'sign: https://sign.',
      'hosts.sign is "https://sign.sandbox.constancia.example": it must be the DNS name',
    ],
    [
      'a member with a typing mistake',
      'signing: signing.',
      'singing: signing.',
      'hosts.singing is not known: there are platform, compliance, signing,',
    ],
    ['another kind', 'kind: sandbox', 'kind: staging', 'kind is "staging": it must be sandbox or production'],
    [
      'an account as a number',
      "account: '000000000000'",
      'account: 123456789012',
      'aws.account is 123456789012: it must be the number of the account, twelve digits in quotes',
    ],
    [
      'a range that is none',
      '[10.50.16.0/24]',
      '[10.50.16.0]',
      'networks.postgres.0 is "10.50.16.0": it must be an address range of PostgreSQL',
    ],
    ['no range', '[10.50.16.0/24]', '[]', 'networks.postgres is []: it must be the address ranges of PostgreSQL'],
    [
      'another way in',
      /^ {2}kind: ingress/m,
      '  kind: route',
      'ingress.kind is "route": it must be ingress (of ingress-nginx) or gateway',
    ],
    ['fewer at most than at least', 'max: 4', 'max: 1', 'replicas.min is 2, more than replicas.max'],
    [
      'one name for two hosts',
      'console: console.',
      'console: sign.',
      'hosts.console is "sign.sandbox.constancia.example", as another host is',
    ],
    [
      'a pooler that knows no server',
      /^replicas/m,
      'pooler: { enabled: true, issuer: internal }\nreplicas',
      'pooler.server is empty, and pooler.enabled is true: it must be the DNS name of PostgreSQL',
    ],
    [
      'no connection for the pooler',
      /^replicas/m,
      'pooler: { connections: 0 }\nreplicas',
      'pooler.connections is 0: it must be the connections to PostgreSQL of each copy',
    ],
    [
      'a replica that the pooler does not know',
      /^replicas/m,
      'pooler: { enabled: true, issuer: internal, server: db.example }\nreplica: { enabled: true }\nreplicas',
      'replica.server is empty, and both replica.enabled and pooler.enabled are true: it must be the DNS name of the standby',
    ],
    ['no YAML', 'kind: sandbox', 'kind: "sandbox', 'Missing closing'],
  ])('with %s are refused with what to write', (_, from, to, problem) => {
    const found = problems(values('wrong.yaml', from, to));
    expect(found.join('\n')).toContain(problem);
  });

  it('are refused with everything that is wrong at once', () => {
    const file = path.join(folder, 'empty.yaml');
    fs.writeFileSync(file, 'name: pilot\n');
    expect(problems(file).length).toBeGreaterThan(10);
    expect(() => environmentFrom(file)).toThrow(/empty\.yaml is not right:\n {2}kind is missing/);
  });
});

describe('an environment of one’s own, rendered by the command from a values file', () => {
  const render = (...args: string[]) =>
    spawnSync(process.execPath, ['tools/run.mjs', 'tools/deploy/render.ts', ...args], { encoding: 'utf8' });

  it.each(['ingress', 'gateway'])('keeps every policy, with %s', { timeout: 60_000 }, (kind) => {
    const out = path.join(folder, kind);
    const file = path.join(folder, `${kind}.yaml`);
    fs.writeFileSync(
      file,
      GOOD.replace('name: sandbox', 'name: pilot')
        .replace('namespace: constancia-sandbox', 'namespace: kyc-pilot')
        .replace(/^ {2}kind: ingress/m, `  kind: ${kind}`),
    );
    const { status, stderr } = render('--values', file, '--out', out);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const found = subjects(out, [environmentFrom(file)]);
    const ways = found.flatMap(({ release }) => release).filter(({ kind: each }) => /^(Ingress|HTTPRoute)$/.test(each));
    expect([...new Set(ways.map((each) => each.kind))]).toEqual([kind === 'ingress' ? 'Ingress' : 'HTTPRoute']);
    expect(found).toHaveLength(6);
    for (const { rule, check } of POLICIES)
      for (const subject of found) expect(check(subject), `${subject.module.name}: ${rule}`).toEqual([]);
  });

  it('names the images of a release by their digests', { timeout: 60_000 }, () => {
    const digest = `sha256:${'5'.repeat(64)}`;
    const digests = path.join(folder, 'digests.json');
    fs.writeFileSync(digests, JSON.stringify({ signing: digest }));
    const file = path.join(folder, 'ingress.yaml');
    const out = path.join(folder, 'digests');
    expect(render('--values', file, '--out', out, '--digests', digests).status).toBe(0);
    const image = fs.readFileSync(path.join(out, 'deploy/signing/overlays/pilot/image/kustomization.yaml'), 'utf8');
    expect(image).toContain(digest);
  });

  it('is not rendered from values that are wrong, and says what is', { timeout: 60_000 }, () => {
    const out = path.join(folder, 'nothing');
    const { status, stderr } = render('--values', values('bad.yaml', 'kind: sandbox', 'kind: staging'), '--out', out);
    expect(status).toBe(1);
    expect(stderr).toContain('kind is "staging": it must be sandbox or production');
    expect(stderr).not.toContain('    at ');
    expect(fs.existsSync(out)).toBe(false);
  });

  it('is described by a schema for editors', () => {
    const schema = JSON.parse(fs.readFileSync('deploy/values/schema.json', 'utf8')) as {
      properties: Record<string, object>;
    };
    expect(Object.keys(schema.properties)).toContain('hosts');
    expect(GOOD).toMatch(/^# yaml-language-server: \$schema=\.\/schema\.json\n/);
  });
});
