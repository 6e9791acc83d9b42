import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { apps } from '../build/sources.mjs';
import { appEnvironment, bundleOf } from './app-environment.mjs';
import { consoleLoginLink } from './console-link.mjs';
import { demoTenant } from './demo-tenant.mjs';
import { kmsServer, mailbox, paymentSimulator } from './local-servers.mjs';
import { say, step } from './narrator.mjs';
import { isLocalDatabase } from './local-database.mjs';
import { PLACES, receiverPort, writePrivate } from './places.mjs';
import { forget, pids } from './pids.mjs';
import { PostgresServer } from './postgres-server.mjs';
import { freePort } from './processes.mjs';
import { secrets } from './secrets.mjs';
import { Supervised } from './supervised.mjs';
import { LaunchError } from './launch-error.mjs';

const run = promisify(execFile);

const at = (port) => `http://127.0.0.1:${port}`;
const addressesOf = (ports) => Object.fromEntries(Object.entries(ports).map(([app, port]) => [app, at(port)]));

/** Time that an app has to finish what it holds after SIGTERM, before it is killed. */
const DRAIN_PATIENCE_MS = 40_000;

/** The whole system as child processes of this one: servers first, then the schemas, then the apps. */
export class Stack {
  #postgres = null;
  #servers = [];
  #apps = [];
  #tools = new AbortController();

  /** @param {ReturnType<typeof import('./places.mjs').portsFrom>} ports */
  constructor(ports) {
    this.ports = ports;
    this.urls = {
      base_url: at(ports.platform),
      compliance_url: at(ports.compliance),
      signing_url: at(ports.signing),
      sign_url: at(ports.sign),
      // Browsers have passkeys for host names only.
      console_url: `http://localhost:${ports.console}`,
      person_url: `http://localhost:${ports.person}`,
      mailbox_url: at(ports.mailbox),
      ...(process.env.KMS_ENDPOINT ? {} : { kms_url: at(ports.kms) }),
      ...(process.env.PAYMENT_PROVIDER_URL ? {} : { payments_url: at(ports.payments) }),
      receiver_url: `${at(receiverPort(ports.platform))}/`,
    };
  }

  /** Brings everything up; answers what stack.json holds. @throws LaunchError with one sentence */
  async up() {
    const kept = secrets();
    const [adminUrl, kms, mail, payments] = await Promise.all([
      this.#database(kept.POSTGRES_PASSWORD),
      this.#server(kmsServer(this.ports)),
      this.#server(mailbox(this.ports)),
      this.#server(paymentSimulator(this.ports, kept)),
    ]);
    const databases = await step('Roles, schemas and queue', () => this.#bootstrap(adminUrl, kept.ROLES_SECRET));
    writePrivate(PLACES.operator, {
      compliance_database_url: databases.compliance_app,
      // Of another machine's database the superuser's password is not written down.
      superuser_database_url: isLocalDatabase(adminUrl) ? databases.superuser : null,
    });
    const ops = {};
    for (const [app, port] of Object.entries(this.ports.ops)) ops[app] = await freePort(port);
    const deployment = { ports: this.ports, ops, urls: this.urls, databases, secrets: kept, kms, mail, payments };
    await step('Migrations', () => this.#migrate(deployment));
    const names = apps();
    await step(`Apps: ${names.join(', ')}`, () => this.#startApps(names, deployment));
    const tenant = await step('Demo tenant', () => demoTenant(this.urls));
    writePrivate(PLACES.ops, { token: process.env.OPS_TOKEN || kept.OPS_TOKEN, urls: addressesOf(ops) });
    const console_login_url = await consoleLoginLink(this.urls, tenant, databases.platform_app);
    const written = { ...this.urls, console_login_url, tenant, pids: { launcher: process.pid, ...pids() } };
    writePrivate(PLACES.stack, written);
    return { ...written, ops };
  }

  async #database(password) {
    if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
    const port = await freePort(this.ports.postgres);
    this.#postgres = new PostgresServer({ port, password, say });
    return step('PostgreSQL', () => this.#postgres.start());
  }

  async #server({ name, label, server, answer }) {
    if (server) {
      const supervised = new Supervised({ ...server, name, say });
      this.#servers.push(supervised);
      await step(label, async () => {
        supervised.start();
        await supervised.ready();
        supervised.keep();
      });
    }
    return answer;
  }

  async #tool(args, env, what) {
    try {
      const options = { env, signal: this.#tools.signal, maxBuffer: 16 * 1024 * 1024 };
      return (await run(process.execPath, ['--enable-source-maps', ...args], options)).stdout;
    } catch (error) {
      const said = String(error.stderr ?? error.message)
        .trim()
        .split('\n');
      const line = said.find((one) => /^\w*error\b.*:/i.test(one.trim())) ?? said.at(-1);
      throw new LaunchError(`${what} failed: ${line.trim().slice(0, 400)}`);
    }
  }

  async #bootstrap(adminUrl, rolesSecret) {
    const embedded = this.#postgres !== null;
    const env = {
      ...process.env,
      ADMIN_DATABASE_URL: adminUrl,
      ROLES_SECRET: rolesSecret,
      DATABASE_NAME: embedded ? 'constancia' : '',
    };
    const what = embedded
      ? 'Preparing the database'
      : 'Preparing the database of DATABASE_URL (it must be a superuser)';
    return JSON.parse(await this.#tool([bundleOf('tools/local/bootstrap')], env, what));
  }

  async #migrate(deployment) {
    const migrate = (app) =>
      this.#tool([bundleOf(`apps/${app}`), 'migrate'], appEnvironment(app, deployment), `Migrating ${app}`);
    await migrate('platform'); // it publishes platform_v1, which the others use
    await Promise.all(['compliance', 'signing'].map(migrate));
  }

  async #startApps(names, deployment) {
    for (const name of names) {
      const app = new Supervised({
        name,
        args: ['--enable-source-maps', bundleOf(`apps/${name}`)],
        env: appEnvironment(name, deployment),
        doors: this.#portsOf(name, deployment.ops).map((port) => ({
          readyUrl: `http://127.0.0.1:${port}/readyz`,
          port,
        })),
        say,
      });
      this.#apps.push(app);
      app.start();
    }
    await Promise.all(this.#apps.map((app) => app.ready()));
    for (const app of this.#apps) app.keep();
  }

  /** Where an app answers: workers only to operators, signing and the platform also to people. */
  #portsOf(name, ops) {
    if (!Object.hasOwn(this.ports, name)) return [ops[name]];
    const { sign, console, person } = this.ports;
    const pages = { signing: [sign], platform: [console, person] }[name] ?? [];
    return [this.ports[name], ...pages];
  }

  /** Ends everything in order: the apps drain while the servers still answer. */
  async down() {
    this.#tools.abort();
    await Promise.all(this.#apps.map((app) => app.stop(DRAIN_PATIENCE_MS)));
    await Promise.all(this.#servers.map((server) => server.stop(5_000)));
    await this.#postgres?.stop();
    forget();
  }

  /** Ends everything now. */
  kill() {
    this.#tools.abort();
    for (const child of [...this.#apps, ...this.#servers]) child.kill();
    this.#postgres?.kill();
  }
}
