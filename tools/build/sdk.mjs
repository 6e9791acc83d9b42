/**
 * npm run build:sdk: the client as a package that installs anywhere, in dist/sdk: JavaScript as ES modules and as CommonJS, types for
 * both, and dist/constancia-sdk-<version>.tgz, which "npm install <file>" takes.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { WORKSPACE } from './sources.mjs';

const SOURCE = path.join(WORKSPACE, 'libs/sdk');
const TARGET = path.join(WORKSPACE, 'dist/sdk');
/** Packages that the client asks for at run time: in its package.json, with the versions of the workspace. */
const DEPENDENCIES = ['openapi-fetch'];

const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

function run(command, args, cwd = WORKSPACE) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${path.basename(command)} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

async function scripts() {
  const build = await rolldown({
    input: { index: path.join(SOURCE, 'src/index.ts') },
    platform: 'node',
    cwd: WORKSPACE,
    tsconfig: path.join(WORKSPACE, 'tsconfig.base.json'),
    external: DEPENDENCIES,
  });
  await build.write({ dir: path.join(TARGET, 'esm'), format: 'esm', entryFileNames: '[name].js' });
  await build.write({ dir: path.join(TARGET, 'cjs'), format: 'cjs', entryFileNames: '[name].js', exports: 'named' });
  await build.close();
}

/** One set of declarations, next to each set of scripts: a package.json in the folder says which kind of module they describe. */
function types() {
  const folder = fs.mkdtempSync(path.join(TARGET, 'types-'));
  const compiler = path.join(WORKSPACE, 'node_modules/typescript/bin/tsc');
  run(process.execPath, [compiler, '-p', path.join(SOURCE, 'tsconfig.declarations.json'), '--outDir', folder]);
  const made = path.join(folder, 'libs/sdk/src');
  for (const file of fs
    .readdirSync(made, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))) {
    const text = fs.readFileSync(path.join(made, file), 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'");
    for (const kind of ['esm', 'cjs']) {
      fs.mkdirSync(path.dirname(path.join(TARGET, kind, file)), { recursive: true });
      fs.writeFileSync(path.join(TARGET, kind, file), text);
    }
  }
  fs.rmSync(folder, { recursive: true });
}

/** The package as it is published. `main` and `types` serve resolvers that do not know `exports`. */
function manifest() {
  const { name, version, description, license, keywords } = read(path.join(SOURCE, 'package.json'));
  const workspace = read(path.join(WORKSPACE, 'package.json'));
  return {
    name,
    version,
    description,
    license,
    keywords,
    type: 'module',
    main: './cjs/index.js',
    module: './esm/index.js',
    types: './cjs/index.d.ts',
    exports: {
      '.': {
        import: { types: './esm/index.d.ts', default: './esm/index.js' },
        require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
      },
      './package.json': './package.json',
    },
    files: ['esm', 'cjs'],
    sideEffects: false,
    engines: { node: workspace.engines.node },
    dependencies: Object.fromEntries(
      DEPENDENCIES.map((dependency) => [dependency, workspace.dependencies[dependency]]),
    ),
  };
}

const write = (file, content) =>
  fs.writeFileSync(
    path.join(TARGET, file),
    typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
  );

// npm writes file modes into the package: with a fixed umask its bytes do not depend on who builds it.
process.umask(0o022);
fs.rmSync(TARGET, { recursive: true, force: true });
fs.mkdirSync(TARGET, { recursive: true });
await scripts();
types();
write('package.json', manifest());
write('cjs/package.json', { type: 'commonjs' });
write('README.md', fs.readFileSync(path.join(SOURCE, 'README.md'), 'utf8'));
write('LICENSE', fs.readFileSync(path.join(WORKSPACE, 'LICENSE'), 'utf8'));
const packed = run('npm', ['pack', '--pack-destination', path.dirname(TARGET), '--loglevel=error'], TARGET).trim();
console.log(`dist/${packed.split('\n').at(-1)}`);
