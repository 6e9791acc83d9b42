import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { importGraph } from '../boundaries/import-graph.ts';
import { PAGES, stampedFiles, WORKSPACE } from '../build/sources.mjs';

/** Two releases beside each other: by command, before a release is made. */
const BY_COMMAND = ['tools/release/rolling-pair.e2e.spec.ts'];

const isSpec = (file: string) => /\.spec\.tsx?$/.test(file);
const projectOf = (file: string) => (file.startsWith('tools/') ? 'tools' : file.split('/', 2).join('/'));
const files = ['apps', 'libs', 'tools'].flatMap((area) =>
  fs
    .readdirSync(path.join(WORKSPACE, area), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(area, file.replaceAll(path.sep, '/')))
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file)),
);

/** A project.json, or a package.json. */
interface Manifest {
  targets?: object;
  nx?: { targets?: object };
}

interface Tsconfig {
  exclude: string[];
}

interface ListedSpec {
  projectName: string;
  file: string;
}

/** The names of a project's targets. */
function targetsOf(project: string): string[] {
  const file = project === 'tools' ? 'tools/workspace/project.json' : `${project}/package.json`;
  const { nx, targets } = JSON.parse(fs.readFileSync(path.join(WORKSPACE, file), 'utf8')) as Manifest;
  return Object.keys(targets ?? nx?.targets ?? {});
}

/** The specs that Vitest runs for a target, by its own list. */
function specsOf(target: 'test' | 'test-full'): string[] {
  const args = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'];
  const env = {
    ...process.env,
    TEST_TARGET: target,
    NODE_NO_WARNINGS: '1',
    VITEST: undefined,
    VITEST_POOL_ID: undefined,
  };
  const listed = JSON.parse(
    execFileSync(process.execPath, args, { cwd: WORKSPACE, env, encoding: 'utf8' }),
  ) as ListedSpec[];
  return listed.map(({ file }) => path.relative(WORKSPACE, file)).sort();
}

describe('npm test and npm run test:full', () => {
  const [short, full] = [specsOf('test'), specsOf('test-full')];

  it('run every spec in exactly one of the two', () => {
    const all = files.filter((file) => isSpec(file) && !BY_COMMAND.includes(file));
    expect([...short, ...full].sort()).toEqual(all.sort());
  });

  it('tell them apart by ".full." in the name', () => {
    expect(full.length).toBeGreaterThan(50);
    expect(full.filter((file) => !file.includes('.full.'))).toEqual([]);
    expect(short.filter((file) => file.includes('.full.'))).toEqual([]);
  });

  it('have a target in each project with such specs', () => {
    const missing = (specs: string[], target: string) =>
      [...new Set(specs.map(projectOf))].filter((project) => !targetsOf(project).includes(target));
    expect(missing(short, 'test')).toEqual([]);
    expect(missing(full, 'test-full')).toEqual([]);
    const projects = [
      ...new Set(files.filter((file) => /^(apps|libs)\/[^/]+\/package\.json$/.test(file)).map(projectOf)),
    ];
    expect(projects.filter((project) => !targetsOf(project).includes('lint'))).toEqual([]);
    // One program checks the types of everything but what runs in browsers, which has other options.
    const { exclude } = JSON.parse(fs.readFileSync(path.join(WORKSPACE, 'tsconfig.json'), 'utf8')) as Tsconfig;
    expect(projects.filter((project) => targetsOf(project).includes('typecheck'))).toEqual(
      projects.filter((project) => exclude.includes(project)),
    );
    expect(projects.filter((project) => project.startsWith('apps/') && !targetsOf(project).includes('build'))).toEqual(
      [],
    );
  });
});

describe('inputs of the targets', () => {
  const graph = importGraph(WORKSPACE, ['apps', 'libs', 'tools'], { tests: true });
  /** The input files of a target, or of the same target of another project when it is run before. */
  let inputsOf: (project: string, target: string, other?: string) => Set<string>;

  beforeAll(async () => {
    process.env.NX_DAEMON = 'false';
    const { createProjectGraphAsync } = await import('@nx/devkit');
    const { HashPlanInspector } = await import('nx/src/hasher/hash-plan-inspector.js');
    const projects = await createProjectGraphAsync();
    const inspector = new HashPlanInspector(projects, WORKSPACE);
    await inspector.init();
    const nameOf = (folder: string) => Object.values(projects.nodes).find(({ data }) => data.root === folder)!.name;
    inputsOf = (folder, target, other = folder) => {
      const tasks = inspector.inspectTaskInputs({ project: nameOf(folder), target });
      return new Set(tasks[`${nameOf(other)}:${target}`]?.files);
    };
  }, 60_000);

  /** All that files of a project import, directly or through others. */
  function reached(project: string, from: (file: string) => boolean): string[] {
    const seen = new Set([...graph.keys()].filter((file) => projectOf(file) === project && from(file)));
    for (const file of seen) for (const next of graph.get(file) ?? []) seen.add(next);
    return [...seen];
  }

  const PROJECTS = [...new Set([...graph.keys()].map(projectOf))].filter((project) => project !== 'tools');

  it.each(PROJECTS)('hold what tests and types of %s depend on', (project) => {
    for (const target of ['lint', 'typecheck', 'test'].filter((name) => targetsOf(project).includes(name))) {
      const inputs = inputsOf(project, target);
      expect(reached(project, () => true).filter((file) => !inputs.has(file))).toEqual([]);
    }
  });

  it.each(PROJECTS.filter((project) => project.startsWith('apps/')))(
    'hold what the bundle of %s is made of',
    (project) => {
      const inputs = inputsOf(project, 'build');
      const entries = reached(
        project,
        (file) => !isSpec(file) && !file.includes('.fixture.') && !/\/(dev|e2e)\//.test(file),
      );
      expect(entries.filter((file) => projectOf(file) !== 'tools' && !inputs.has(file))).toEqual([]);
      const builder = reached('tools', (file) => file === 'tools/build/build.mjs');
      expect(builder.filter((file) => !inputs.has(file))).toEqual([]);
      expect([...inputs]).toEqual(expect.arrayContaining(['package-lock.json', 'tsconfig.base.json']));
      expect(stampedFiles(project).filter((file) => !inputs.has(file))).toEqual([]);
      expect([...inputs].filter(isSpec)).toEqual([]);
    },
  );

  it('hold the pages that an app serves, by the target that builds them', () => {
    for (const [page, { servedBy }] of Object.entries(PAGES)) {
      for (const app of servedBy)
        expect([...inputsOf(`apps/${app}`, 'build', page)].length, `${app}: ${page}`).toBeGreaterThan(0);
    }
  });

  it('hold nothing of other apps, and no guide where a bundle is made', () => {
    expect(
      [...inputsOf('apps/platform', 'build')].filter((file) => /^(apps\/signing|docs\/guides)\//.test(file)),
    ).toEqual([]);
    expect([...inputsOf('libs/kernel', 'lint')].filter((file) => /^(apps|docs)\//.test(file))).toEqual([]);
    expect([...inputsOf('libs/kernel', 'test')]).not.toContain('README.md');
  });
});
