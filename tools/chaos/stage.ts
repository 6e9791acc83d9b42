import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  APPS,
  type AppName,
  type AppProcess,
  eventually,
  startRedis,
  startRedisCluster,
  type StackOptions,
  type TestRedis,
  type TestRedisCluster,
  type TestStack,
  wipePostgresQueues,
  wipeRedisQueues,
} from '@constancia/testing';
import {
  grantCredits,
  inStore,
  type Integrator,
  NO_LIMITS,
  signUp,
  startDeployment,
  storeOf,
} from '../e2e/deployment.fixture.ts';
import { Fleet } from '../e2e/fleet.fixture.ts';
import { readyForOnboarding } from '../e2e/identity.fixture.ts';
import { personWithWallet } from '../e2e/openid/person.fixture.ts';
import type { Query } from '../oracle/finding.ts';
import type { Customer } from './load/asking.ts';
import { customerOf, receiveEvents } from './load/customer.ts';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { FakeClock } from './fake-clock.ts';
import { PaymentProcess } from './payments.ts';
import type { Random } from './random.ts';
import { TenantReceiver } from './receivers.ts';
import { type NoDisk, removeDisks, smallDisk } from './small-disk.ts';
import { TcpProxy } from './tcp-proxy.ts';

export const BACKENDS = ['redis', 'postgres', 'redis-cluster'] as const;
export type Backend = (typeof BACKENDS)[number];

/** A tenant with all it needs to be busy, and where its events go. */
export interface Tenant extends Customer {
  receiver: TenantReceiver;
  platform: Integrator['platform'];
}

/** Persons who keep a verification, by the sandbox triggers whose sessions complete: a wallet is of one document. */
const PERSONS = { approve: 'ana@canary.example', retry: 'berta@canary.example', engine_error: 'carla@canary.example' };

/** Persons and the servers of applications come from an address of their own each: the limits by address are tested elsewhere. */
const MANY_ADDRESSES = { RATE_LIMIT_SIGN_IN: '1000000', TRUSTED_PROXY_HOPS: '1' };

const OBJECTS_MB = 192;
/** Room for a server's journal and for what a stage writes into its tables. */
const DATA_MB = 1_536;

/** Connections of the pooler to the server, for each role. */
const POOL_SIZE = 12;

export interface StageOptions {
  /** The wall clock of the processes is ours. */
  fakeClock?: boolean;
  /** The server's data is on a small disk. */
  smallData?: boolean;
  /** A pooler stands between the processes and the store. */
  pooler?: boolean;
  /** Copies of every process, behind a load balancer; 1 by default: there is none. */
  replicas?: number;
}

/** Everything that a round plays on: a deployment with something in every one of its wires, and its tenants. */
export class Stage {
  /** Endpoints that always answer. */
  healthy!: Tenant;
  /** Endpoints that fail on command. */
  moody!: Tenant;
  /** Persons with wallets, whom the other tenant verified: one whom `healthy` asks, one whom `moody` asks, one who signs in. */
  readonly persons = [PERSONS.approve, PERSONS.retry, PERSONS.engine_error] as const;
  /** All that signed up, those without receivers too. */
  readonly tenants: Customer[] = [];

  private constructor(
    readonly backend: Backend,
    readonly stack: TestStack,
    readonly wires: { postgres: TcpProxy; kms: TcpProxy; payments: TcpProxy; redis?: TcpProxy },
    /** The payment provider. */
    readonly payments: PaymentProcess,
    readonly redis: TestRedis | undefined,
    /** Reached without a proxy: its nodes name one another. */
    readonly redisCluster: TestRedisCluster | undefined,
    /** The folder of the object store, when it is a small disk of its own. */
    readonly disk: string | NoDisk,
    readonly clock: FakeClock | undefined,
    /** The disk of the server's data, when it was asked for and can be had. */
    readonly dataDisk: string | NoDisk | undefined,
    /** The copies of the processes, when there are several of each. */
    private readonly fleet: Fleet | undefined,
  ) {}

  static async open(backend: Backend, options: StageOptions = {}): Promise<Stage> {
    const redis = backend === 'redis' ? await startRedis() : undefined;
    const redisCluster = backend === 'redis-cluster' ? await startRedisCluster() : undefined;
    const wires: Record<string, TcpProxy> = {};
    const between = async (server: string, url: string): Promise<string> => {
      const wire = await TcpProxy.before(url);
      wires[server] = wire;
      return wire.via(url);
    };
    const disk = smallDisk(OBJECTS_MB, '0700');
    const dataDisk = options.smallData ? smallDisk(DATA_MB, '0755') : undefined;
    const clock = options.fakeClock ? FakeClock.make() : undefined;
    const payments = await PaymentProcess.start();
    const paymentsUrl = await between('payments', payments.url);
    const deployment: Partial<StackOptions> = {
      redisUrl: redis ? await between('redis', redis.url) : redisCluster?.url,
      between,
      ...(options.pooler && { poolerSize: POOL_SIZE }),
      ...(typeof dataDisk === 'string' && { dataWithin: dataDisk }),
      env: {
        ...NO_LIMITS,
        ...MANY_ADDRESSES,
        ...payments.environment(paymentsUrl),
        DRAIN_SECONDS: '1',
        ...(typeof disk === 'string' && { STORAGE_DIR: disk }),
        ...clock?.environment,
      },
    };
    const { stack, fleet } = await deployed(deployment, options.replicas ?? 1).catch(async (error: unknown) => {
      await Promise.all([redis?.kill(), redisCluster?.remove(), payments.close()]);
      removeDisks(disk, dataDisk);
      throw error;
    });
    const stage = new Stage(
      backend, stack, wires as unknown as Stage['wires'], payments, redis, redisCluster, disk, clock, dataDisk, fleet,
    ); // prettier-ignore
    try {
      [stage.healthy, stage.moody] = await Promise.all([stage.tenant(), stage.tenant()]);
      await stage.keepVerifications();
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  get query(): Query {
    return storeOf(this.stack);
  }

  /** The processes of an app. */
  copiesOf(name: AppName): readonly AppProcess[] {
    return this.fleet?.running(name) ?? [this.stack.app(name)];
  }

  get processes(): readonly AppProcess[] {
    return APPS.flatMap((name) => this.copiesOf(name));
  }

  /** Gives the store a standby. The server is not there for a moment: resolves when all processes are ready again. */
  async addStandby(): Promise<void> {
    await this.stack.cluster.addStandby();
    await Promise.all(
      this.processes.map((app) =>
        eventually(async () => {
          if (!(await app.ready())) throw new Error(`${app.name} is not ready`);
        }, 60_000),
      ),
    );
  }

  /** A tenant with credits for everything, a template, a circuit, a validation, and receivers. */
  private async tenant(): Promise<Tenant> {
    const receiver = await TenantReceiver.start();
    const integrator = await signUp(this.stack);
    await grantCredits(this.stack, integrator, 100_000_000);
    await receiveEvents(integrator, (module) => receiver.urlOf(module));
    await readyForOnboarding(integrator);
    return { ...(await this.customer(integrator)), receiver, platform: integrator.platform };
  }

  private async keepVerifications(): Promise<void> {
    const { healthy, moody } = this;
    const kept = (tenant: Tenant, trigger: keyof typeof PERSONS) =>
      personWithWallet(this.stack, tenant, PERSONS[trigger], trigger);
    await Promise.all([kept(moody, 'approve'), kept(healthy, 'retry'), kept(healthy, 'engine_error')]);
  }

  /** A tenant with what a sandbox gives it, and no receiver of its events. */
  async poorTenant(): Promise<Customer> {
    return this.customer(await signUp(this.stack), { circuit: false });
  }

  private async customer(integrator: Integrator, options?: { circuit: boolean }): Promise<Customer> {
    const customer = await customerOf(this.stack, integrator, options);
    this.tenants.push(customer);
    return customer;
  }

  /** Kills a copy of an app as nothing else does, and starts it again at once, as a supervisor does. */
  async killAndRestart(name: AppName, random: Random): Promise<void> {
    const app = random.pick(this.copiesOf(name));
    await app.end('SIGKILL');
    await app.start();
  }

  /** Empties the queues' store as an operator's mistake would. */
  wipeQueues(): Promise<void> {
    if (this.redisCluster) return this.redisCluster.wipe();
    return this.redis ? wipeRedisQueues(this.redis.url) : wipePostgresQueues(this.query);
  }

  /** Runs the migrate command of every module twice at the same time. */
  async migrateTwice(): Promise<void> {
    const owner = (schema: string) => this.stack.databaseUrl(`${schema}_owner`);
    const runs = (['platform', 'compliance', 'signing'] as const).map((name) => {
      const env = { MIGRATION_DATABASE_URL: owner(name), IDENTITY_MIGRATION_DATABASE_URL: owner('identity') };
      const program = [path.join(WORKSPACE, 'dist/apps', name, 'main.js'), 'migrate'];
      return () => promisify(execFile)(process.execPath, program, { env });
    });
    await Promise.all([...runs, ...runs].map((run) => run()));
  }

  async sql<Row>(statement: string, params: unknown[] = []): Promise<Row[]> {
    return inStore<Row>(this.stack, statement, params);
  }

  async close(): Promise<void> {
    await (this.fleet ?? this.stack).close();
    await Promise.all([this.healthy, this.moody].map((tenant) => tenant?.receiver.close()));
    await Promise.all(Object.values(this.wires).map((wire) => wire?.close()));
    await Promise.all([this.redis?.kill(), this.redisCluster?.remove(), this.payments.close()]);
    removeDisks(this.disk, this.dataDisk);
    this.clock?.remove();
  }
}

/** Starts a deployment; one of several copies of every process stands behind a load balancer. */
async function deployed(options: Partial<StackOptions>, copies: number): Promise<{ stack: TestStack; fleet?: Fleet }> {
  if (copies === 1) return { stack: await startDeployment(options) };
  const fleet = await Fleet.start(options);
  try {
    for (let copy = 0; copy < copies; copy++) await fleet.add(APPS);
    return { stack: fleet.stack, fleet };
  } catch (error) {
    await fleet.close();
    throw error;
  }
}
