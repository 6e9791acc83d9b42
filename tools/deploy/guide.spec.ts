import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { committedEnvironments } from './environments.ts';
import { objectsOf } from './kustomization.ts';
import { MODULES } from './modules.ts';
import type { ExternalSecret } from './objects/secrets.ts';
import { all, subjects } from './policies/subject.ts';

const ENVIRONMENTS = committedEnvironments();
const guide = fs.readFileSync('docs/guides/deploy.md', 'utf8');
const blocks = [...guide.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block]) => block as string);
const commands = blocks.flatMap((block) =>
  block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim()),
);

/** A command with its variables filled in, for every module and environment that it may be about. */
function filledIn(command: string): string[] {
  return MODULES.flatMap((module) =>
    ENVIRONMENTS.map(({ name }) =>
      command
        .replaceAll('$OVERLAY', `deploy/${module.name}/overlays/${name}`)
        .replaceAll('$MODULE', module.name)
        .replaceAll('$NS', `constancia-${name}`),
    ).filter((text) => module.migration !== undefined || !text.includes('migration')),
  );
}

describe('the guide to deployment', () => {
  it('applies folders that there are', () => {
    const folders = commands
      .filter((command) => /^kubectl (apply|diff) /.test(command))
      .flatMap(filledIn)
      .map((command) => /-k (\S+)/.exec(command)?.[1] as string);
    expect(folders.length).toBeGreaterThan(10);
    for (const folder of folders) expect(fs.existsSync(`${folder}/kustomization.yaml`), folder).toBe(true);
  });

  it('names objects that there are', () => {
    const known = new Set(
      subjects().flatMap(({ release, migration, environment }) =>
        [...release, ...migration].map(({ kind, metadata }) => `${environment.namespace} ${kind} ${metadata.name}`),
      ),
    );
    const kinds: Record<string, string> = { deploy: 'Deployment', job: 'Job', externalsecret: 'ExternalSecret' };
    const named = commands
      .filter((command) => command.startsWith('kubectl -n'))
      .flatMap(filledIn)
      .flatMap((command) => {
        const namespace = /-n (\S+)/.exec(command)?.[1] as string;
        return [...command.matchAll(/\b(deploy|job|externalsecret)[/ ]([\w-]+)/g)].map(
          ([, kind, name]) => `${namespace} ${kinds[kind as string]} ${name}`,
        );
      });
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((each) => !known.has(each))).toEqual([]);
  });

  it('changes the one line of the overlay that says which image it is', () => {
    for (const file of filledIn('$OVERLAY/image/kustomization.yaml')) {
      expect(fs.readFileSync(file, 'utf8').match(/digest: .*/g)).toHaveLength(1);
    }
  });

  it('lists every secret that a module reads, under its name in the store', () => {
    const rows = new Map(
      [...guide.matchAll(/^\| `([\w-]+)` +\| (`(?:[A-Z]|operators\.|users\.)[^|]*)\|$/gm)].map(([, name, members]) => [
        name as string,
        [...(members as string).matchAll(/`([A-Z_]+|operators\.json|users\.txt|server-ca\.pem)`/g)]
          .map(([, member]) => member as string)
          .toSorted(),
      ]),
    );
    const read = new Map<string, Set<string>>();
    const others = ['backup', 'pooler'].flatMap((of) =>
      ENVIRONMENTS.filter(({ pooler }) => of !== 'pooler' || pooler.enabled).map((environment) => ({
        environment,
        objects: objectsOf(`deploy/${of}/overlays/${environment.name}`),
      })),
    );
    const deployed = subjects().map(({ release, migration, environment }) => ({
      environment,
      objects: [...release, ...migration],
    }));
    for (const { environment, objects } of [...deployed, ...others]) {
      for (const { spec } of all<ExternalSecret>(objects, 'ExternalSecret')) {
        for (const { remoteRef } of spec?.data ?? []) {
          const name = remoteRef.key.slice(`${environment.secrets.prefix}/`.length);
          read.set(name, (read.get(name) ?? new Set()).add(remoteRef.property as string));
        }
      }
    }
    for (const [name, members] of read) expect(rows.get(name), name).toEqual([...members].toSorted());
  });

  it('links to files that there are', () => {
    for (const [, target] of guide.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      expect(fs.existsSync(`docs/guides/${target}`), target).toBe(true);
    }
  });
});
