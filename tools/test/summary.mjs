/** The end of `npm test` and `npm run test:full`: what passed, what was skipped, what failed and why. */
import fs from 'node:fs';
import path from 'node:path';

/** Lines of a failed test's error, and of a failed check's output. */
const LINES = { test: 8, check: 30 };

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

/** The folder of a project that nx knows by its name. */
const folderOf = (project) =>
  project === 'workspace' ? 'tools' : project.replace('@constancia/app-', 'apps/').replace('@constancia/', 'libs/');

export class Summary {
  #passed = [];
  #skipped = [];
  #failed = [];
  /** Failed, and passed when their files ran once more by themselves (specs.mjs). */
  #unstable = [];

  /** @param {string} root of the checkout @param {{ skipsForbidden: boolean }} options */
  constructor(root, { skipsForbidden }) {
    this.root = root;
    this.skipsForbidden = skipsForbidden;
    this.record = path.join(root, '.nx/cache/run.json');
  }

  /** A step that is one command. Its output is repeated at the end when it failed. */
  check(name, passed, output) {
    if (passed) this.#passed.push(name);
    else this.#fail(name, output || 'Its output is above.', LINES.check);
  }

  /** A check that could not run here. */
  leftOut(reason) {
    this.#skipped.push(reason);
  }

  /** What became of targets: by nx's own record of the run, and by the reports of the tests. */
  targets(names, output) {
    const tasks = fs.existsSync(this.record) ? readJson(this.record).tasks : [];
    if (tasks.length === 0)
      this.#fail(names.join(', '), output || 'nx ended without a record of what it ran.', LINES.check);
    for (const name of names) {
      const own = tasks.filter(({ target }) => target === name);
      const passed = own.filter(({ status }) => status === 0);
      const unchanged = passed.filter(({ cacheStatus }) => cacheStatus !== 'cache-miss').length;
      const tests = own
        .map(({ projectName }) => this.#tests(name, folderOf(projectName)))
        .reduce((sum, n) => sum + n, 0);
      const projects = `${passed.length} of ${own.length} projects, ${unchanged} unchanged since they passed`;
      this.#passed.push(`${name}: ${tests > 0 ? `${tests} tests, ` : ''}${projects}`);
    }
    for (const { taskId, target, projectName, hash, status } of tasks.filter(({ status }) => status !== 0)) {
      const folder = folderOf(projectName);
      if (this.#failed.some(({ task }) => task === `${target} ${folder}`)) continue;
      const kept = path.join(this.root, '.nx/cache/terminalOutputs', hash);
      const output = fs.existsSync(kept) ? fs.readFileSync(kept, 'utf8') : `It did not run (${status}).`;
      // Compilers and linters say first what is wrong, test runs last.
      const lines = target.startsWith('test') ? output.split('\n').slice(-LINES.check).join('\n') : output;
      this.#fail(taskId, lines, LINES.check);
    }
  }

  /** Specs that ran once more without ../shared. That is a reason to skip a test which passed with it, and no other one. */
  withoutShared(reportFile, status) {
    const before = this.#skipped.length;
    const failed = this.#failed.length;
    const results = fs.existsSync(reportFile) ? readJson(reportFile).testResults : [];
    const passed = this.#note(results, 'without ../shared');
    const names = this.#skipped.splice(before);
    const known = this.#passedBefore();
    this.#skipped.push(...names.filter((name) => !known.has(name)));
    const excused = names.filter((name) => known.has(name)).length;
    this.#passed.push(`without ../shared: ${passed} tests, ${excused} skipped that passed with it`);
    if (status !== 0 && this.#failed.length === failed)
      this.#fail('without ../shared', 'It failed outside its tests: see its output above.', LINES.check);
  }

  /** Prints it and keeps it as dist/reports/<name>.summary.txt. Answers whether the run passed. */
  print(name) {
    const asLines = ({ name: failed, lines }) => [failed, ...lines.map((line) => `  ${line}`)];
    const list = (title, lines) =>
      lines.length > 0 ? [`${title}:`, ...lines.map((line) => (line === '' ? '' : `  ${line}`)), ''] : [];
    const passed = this.#failed.length === 0 && (this.#skipped.length === 0 || !this.skipsForbidden);
    const text = [
      ...list('Passed', this.#passed),
      ...list(this.skipsForbidden ? 'Skipped (not allowed with CI=true)' : 'Skipped', this.#skipped),
      ...list(
        'Unstable (failed, and passed when run again by themselves: find out why)',
        this.#unstable.flatMap(asLines),
      ),
      ...list('Failed', this.#failed.flatMap(asLines)),
      `${name}: ${passed ? 'passed' : 'FAILED'} (${this.#failed.length} failed, ${this.#unstable.length} unstable, ${this.#skipped.length} skipped)`,
    ].join('\n');
    fs.mkdirSync(path.join(this.root, 'dist/reports'), { recursive: true });
    fs.writeFileSync(path.join(this.root, 'dist/reports', `${name.replaceAll(/\W+/g, '-')}.summary.txt`), `${text}\n`);
    console.log(`\n${text}`);
    return passed;
  }

  #fail(name, reason, limit, task, failures = this.#failed) {
    const lines = reason
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.includes('node_modules'))
      .map((line) => line.slice(0, 400));
    const more = lines.length > limit ? [`(and ${lines.length - limit} lines more, above)`] : [];
    failures.push({ name, lines: [...lines.slice(0, limit), ...more], task });
  }

  /** How many tests of a project passed. Notes the others. */
  #tests(target, folder) {
    const file = (name) => path.join(this.root, 'dist/reports', target, folder, name);
    if (!fs.existsSync(file('report.json'))) return 0;
    const results = readJson(file('report.json')).testResults;
    const again = fs.existsSync(file('again.json')) ? readJson(file('again.json')).testResults : [];
    const passedNow = again.filter(({ status }) => status === 'passed');
    const unstable = new Set(passedNow.map(({ name }) => name));
    const task = `${target} ${folder}`;
    this.#note(
      results.filter(({ name }) => unstable.has(name)),
      task,
      this.#unstable,
    );
    return this.#note([...results.filter(({ name }) => !unstable.has(name)), ...passedNow], task);
  }

  /** How many tests of files passed. Notes the others. */
  #note(testResults, task, failures = this.#failed) {
    let passed = 0;
    for (const { name, message, assertionResults } of testResults) {
      const spec = path.relative(this.root, name);
      if (message) this.#fail(spec, message, LINES.test, task, failures);
      for (const { status, fullName, failureMessages } of assertionResults) {
        const test = `${spec}: ${fullName}`;
        if (status === 'passed') passed++;
        else if (status === 'failed') this.#fail(test, failureMessages.join('\n'), LINES.test, task, failures);
        else if (failures === this.#failed) this.#skipped.push(test);
      }
    }
    return passed;
  }

  /** Tests that passed in the last runs of `test` and `test-full`. */
  #passedBefore() {
    const reports = ['test', 'test-full'].flatMap((target) => {
      const folder = path.join(this.root, 'dist/reports', target);
      const files = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
      return files
        .filter((file) => ['report.json', 'again.json'].includes(path.basename(file)))
        .map((file) => readJson(path.join(folder, file)));
    });
    return new Set(
      reports.flatMap(({ testResults }) =>
        testResults.flatMap(({ name, assertionResults }) =>
          assertionResults
            .filter(({ status }) => status === 'passed')
            .map(({ fullName }) => `${path.relative(this.root, name)}: ${fullName}`),
        ),
      ),
    );
  }
}
