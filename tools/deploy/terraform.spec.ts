import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { committedEnvironments } from './environments.ts';
import { MODULES } from './modules.ts';

const FOLDER = 'deploy/terraform';
const files = fs.readdirSync(FOLDER).filter((name) => name.endsWith('.tf'));
const read = (name: string) => fs.readFileSync(`${FOLDER}/${name}`, 'utf8');
const whole = files.map(read).join('\n');
/** Without comments, and without what stands in strings but for the references in them. */
const code = whole
  .replace(/^\s*#.*$/gm, '')
  .replace(
    /"(?:[^"\\]|\\.)*"/g,
    (string) => `"${[...string.matchAll(/\$\{([^}]*)\}/g)].map(([, inside]) => inside).join(' ')}"`,
  );
const guide = fs.readFileSync('docs/guides/deploy.md', 'utf8');
const hasTerraform = spawnSync('terraform', ['version']).status === 0;

/** First words of blocks and their labels: `resource "aws_kms_key" "data"`. */
const blocks = [
  ...whole.matchAll(/^(resource|data|variable|output|locals|provider|terraform)((?: "[\w-]+")*) \{\}?$/gm),
].map(([, kind, labels]) => ({
  kind: kind as string,
  labels: [...(labels as string).matchAll(/"([^"]+)"/g)].map(([, text]) => text as string),
}));
const named = (kind: string) => blocks.filter((block) => block.kind === kind).map(({ labels }) => labels.join('.'));

/** What stands in a block. */
const bodyOf = (block: string) => new RegExp(`^${block} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(whole)?.[1] ?? '';

/** What a module may do by roles.tf: the rights listed for it, with those that have a name, and with keys of tenants. */
function rightsOf(module: string): string[] {
  const roles = read('roles.tf');
  const list = new RegExp(`^ {4}${module} = \\[\\n([\\s\\S]*?)^ {4}\\]`, 'm').exec(roles)?.[1] ?? '';
  const expanded = list.replace(
    /local\.(\w+),?\n/g,
    (_, name: string) => new RegExp(`^ {2}${name}\\s+= (.*)$`, 'm').exec(roles)?.[1] ?? '',
  );
  const sealsForTenants = /use_tenant_keys = \[(.*)\]/.exec(roles)?.[1]?.includes(`"${module}"`);
  return actionsIn(sealsForTenants ? `${expanded} kms:Sign kms:GetPublicKey` : expanded);
}

const actionsIn = (text: string) =>
  [...new Set([...text.matchAll(/\b(?:s3|kms|sms-voice|textract|rekognition):\w+/g)].map(([action]) => action))].sort();

describe('the Terraform files', () => {
  it('have blocks that end, each with a name of its own', () => {
    let depth = 0;
    for (const character of code) depth += character === '{' ? 1 : character === '}' ? -1 : 0;
    expect(depth).toBe(0);
    const names = blocks.map(({ kind, labels }) => `${kind} ${labels.join('.')}`);
    expect(new Set(names).size).toBe(names.length);
    expect(named('resource').length).toBeGreaterThan(15);
  });

  it('refer to what there is', () => {
    const resources = named('resource');
    const data = named('data');
    const locals = [...read('roles.tf').matchAll(/^ {2}(\w+)\s+= /gm)].map(([, name]) => name as string);
    for (const [reference, type, name] of code.matchAll(/(?<![\w.])(aws_\w+)\.(\w+)/g))
      expect(resources, reference).toContain(`${type}.${name}`);
    for (const [reference, type, name] of code.matchAll(/\bdata\.(aws_\w+)\.(\w+)/g))
      expect(data, reference).toContain(`${type}.${name}`);
    for (const [reference, name] of code.matchAll(/\blocal\.(\w+)/g)) expect(locals, reference).toContain(name);
    for (const [reference, name] of code.matchAll(/\bvar\.(\w+)/g))
      expect(named('variable'), reference).toContain(name);
  });

  it('describe every variable and use it, and give no secret a default', () => {
    for (const name of named('variable')) {
      const body = bodyOf(`variable "${name}"`);
      expect(body, name).toMatch(/^ {2}description = "/m);
      expect(body, name).toMatch(/^ {2}type +=/m);
      expect(code.split(`var.${name}`).length, `${name} is used`).toBeGreaterThan(1);
      if (/sensitive +=/.test(body)) expect(body).not.toMatch(/^ {2}default/m);
    }
    expect(whole).not.toMatch(/password\s*=\s*"/);
  });

  it('make the role of every module that asks AWS, called as its ServiceAccount names it, and of no other', () => {
    const modules = MODULES.filter(({ reaches }) => reaches.includes('aws')).map(({ name }) => name);
    const listed = [...read('roles.tf').matchAll(/^ {4}([\w-]+) = \[\n/gm)].map(([, name]) => name as string);
    expect(listed.sort()).toEqual([...modules, 'backup'].sort());
    const account = fs.readFileSync('deploy/signing/overlays/production/service-account.yaml', 'utf8');
    expect(account).toContain('role/constancia-production-signing');
    expect(whole).toContain('"constancia-${var.name}-${each.key}"');
  });

  it('give every role what the guide says, and nothing else', () => {
    const modules = MODULES.filter(({ reaches }) => reaches.includes('aws')).map(({ name }) => name);
    for (const name of [...modules, 'backup']) {
      const row = new RegExp(`^\\| \`${name}\` +\\|(.*s3:.*|.*kms:.*)\\|$`, 'm').exec(guide)?.[1] as string;
      const said = actionsIn(row.replace('`DetectFaces`', '`rekognition:DetectFaces`'));
      const everybody = name === 'backup' ? [] : ['s3:ListBucket'];
      expect(rightsOf(name), name).toEqual([...new Set([...said, ...everybody])].sort());
    }
    expect(whole).toContain('alias/constancia-tenant-*');
  });

  it('name keys as the values files do, and keep them and the documents from being destroyed', () => {
    for (const { name, aws } of committedEnvironments())
      for (const alias of [aws.signingKey, aws.statementKey, aws.archiveKey, aws.dataKey])
        expect(whole).toContain(`"${alias.replace(name, '${var.name}')}"`);
    for (const kept of [
      'aws_kms_key" "signing',
      'aws_kms_key" "statements',
      'aws_kms_key" "archives',
      'aws_kms_key" "data',
      'aws_s3_bucket" "documents',
      'aws_s3_bucket" "backups',
    ])
      expect(bodyOf(`resource "${kept}"`), kept).toMatch(/lifecycle \{\n +prevent_destroy = true/);
  });

  it('name everything after the environment, so that cells beside each other take nothing of each other', () => {
    const ids = /^ {2}(name|name_prefix|identifier|replication_group_id|bucket) += (.*)$/gm;
    // A policy of a role is named within it.
    const resources = named('resource').filter((name) => !name.startsWith('aws_iam_role_policy.'));
    const given = resources.flatMap((name) => [...bodyOf(`resource "${name.replace('.', '" "')}"`).matchAll(ids)]);
    expect(given.length).toBeGreaterThan(12);
    for (const [line, , value] of given) expect(value, line).toMatch(/\bvar\.(name|bucket|backup_bucket)\b|^aws_/);
  });

  it('encrypt what is stored and what is sent, and can go back to any moment', () => {
    for (const setting of [
      /storage_encrypted +=\s+true/,
      /transit_encryption_enabled +=\s+true/,
      /"rds\.force_ssl"\n\s+value = "1"/,
    ])
      expect(whole).toMatch(setting);
    expect(whole).toMatch(/deletion_protection +=\s+true/);
    expect(whole).toMatch(/backup_retention_period +=\s+var\.backup_days/);
    expect(whole).toMatch(/"maxmemory-policy"\n\s+value = "noeviction"/);
  });

  it.skipIf(!hasTerraform)('are formatted as Terraform does (skipped where it is not installed)', () => {
    const { status, stdout } = spawnSync('terraform', ['fmt', '-check', '-diff', FOLDER], { encoding: 'utf8' });
    expect(status, stdout).toBe(0);
  });
});
