import { DomainError, PeriodicTask } from '@constancia/kernel';
import type { ListCode } from '@constancia/reference-data';
import { Database } from '@constancia/persistence';
import { DependencyUnavailable, Problem } from '@constancia/problem-json';
import { Logger } from '@constancia/telemetry';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ComplianceConfig } from '../config.ts';
import { listPolicy } from './list-age.ts';
import { ListBuilds } from './list-builds.ts';
import { type ActiveList, activeLists, readTicks, versionNamed } from './list-rows.sql.ts';
import { LISTS_CHANNEL } from './lists-channel.ts';
import { type ListPolicy, type LoadedList, pin, type PinnedLists, versionsIn } from './pinned-lists.ts';

const POLL_MS = 3_000;
/** Tenants whose own list stays in memory; another one's is loaded again when it is asked for. */
const TENANT_LISTS = 200;
/** Indexes of superseded versions that stay in memory for the next replay. */
const OLD_INDEXES = 12;

/** A stored screening names a version that is not in the store. */
export class UnknownListVersion extends Error {
  constructor(list: ListCode, version: string) {
    super(`there is no version ${version} of ${list}`);
    this.name = 'UnknownListVersion';
  }
}

interface Operators {
  lists: readonly LoadedList[];
  pinned: PinnedLists;
}

/** The operator's lists and one tenant's own. */
interface Combined {
  of: Operators;
  own: string;
  pinned: PinnedLists;
}

/**
 * The lists that this process screens with. Loaded once and swapped as a whole when the store has other versions: announced by
 * NOTIFY, found by a look every 3 s when the announcement got lost. What cannot be loaded leaves the last good one in place.
 */
@Injectable()
export class Lists implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly policy: ListPolicy;
  /** The operator's lists; replaced as a whole. */
  private operators: Operators;
  private ownLists: ReadonlyMap<string, ActiveList> = new Map();
  private readonly own = new LRUCache<string, Promise<LoadedList>>({ max: TENANT_LISTS });
  private readonly combined = new LRUCache<string, Combined>({ max: TENANT_LISTS });
  private readonly old = new LRUCache<string, Promise<LoadedList>>({ max: OLD_INDEXES });
  private ticks = -1;
  private refreshing: Promise<void> | undefined;
  private again = false;
  private readonly polling: PeriodicTask;
  private listener: { close(): Promise<void> } | undefined;
  private closed = false;
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly builds: ListBuilds,
    config: ComplianceConfig,
    private readonly logger: Logger,
  ) {
    this.policy = listPolicy(config);
    this.operators = { lists: [], pinned: pin([], this.policy) };
    this.polling = new PeriodicTask({ name: 'lists', everyMs: POLL_MS, logger, run: () => this.refresh() });
  }

  /** Begins to follow the store. Does not wait for it, and does not fail while it is unavailable. */
  async onApplicationBootstrap(): Promise<void> {
    const look = () => {
      this.refresh().catch((error: unknown) => this.warnUnreachable(error));
    };
    look();
    this.polling.start();
    this.listener = await this.database.listen(LISTS_CHANNEL, look);
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    await this.listener?.close();
    await this.polling.close();
    await this.refreshing?.catch(() => undefined);
  }

  /** Calls back whenever this process has other lists than before. */
  onChange(changed: () => void): void {
    this.listeners.push(changed);
  }

  /** Whether the store was read at least once: before that, a list is not missing but not yet loaded. */
  get loaded(): boolean {
    return this.ticks >= 0;
  }

  /** The lists as they are now, with the tenant's own one if it has one. Ask once per request and use nothing else. */
  async current(tenantId?: string): Promise<PinnedLists> {
    const row = tenantId === undefined ? undefined : this.ownLists.get(tenantId);
    const operators = this.operators;
    if (tenantId === undefined || row === undefined) return operators.pinned;
    const before = this.combined.get(tenantId);
    if (before?.of === operators && before.own === row.id) return before.pinned;
    const pinned = pin([...operators.lists, await this.ownList(row)], this.policy);
    this.combined.set(tenantId, { of: operators, own: row.id, pinned });
    return pinned;
  }

  /**
   * The lists as a stored screening saw them: its versions, of the operator and of this tenant. Throws UnknownListVersion when one
   * is not in the store any more.
   */
  async at(versions: Readonly<Partial<Record<ListCode, string>>>, tenantId?: string): Promise<PinnedLists> {
    const names = Object.entries(versions) as [ListCode, string][];
    const loaded = await Promise.all(
      names.flatMap(([list, both]) => versionsIn(both).map((version) => this.stored(list, version, tenantId))),
    );
    return pin(loaded, this.policy);
  }

  /** Looks whether the store has other versions, and loads those. Throws what the store throws; the next look tries again. */
  refresh(): Promise<void> {
    if (this.refreshing) {
      this.again = true; // what was activated after the present look began is in the next one
      return this.refreshing;
    }
    this.refreshing = this.follow().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async follow(): Promise<void> {
    do {
      this.again = false;
      await this.look();
    } while (this.again && !this.closed);
  }

  private async look(): Promise<void> {
    const ticks = await readTicks(this.database);
    if (ticks === this.ticks) return;
    const active = await activeLists(this.database);
    const wanted = active.filter(({ tenant_id }) => tenant_id === null);
    const { lists, complete } = await this.loadAll(wanted);
    // One swap: from here on, and not before, requests see what was loaded, all of it.
    this.operators = { lists, pinned: pin(lists, this.policy) };
    this.ownLists = new Map(active.flatMap((row) => (row.tenant_id === null ? [] : [[row.tenant_id, row]])));
    this.ticks = complete ? ticks : 0;
    for (const changed of this.listeners) changed();
  }

  /** Each wanted version; where one cannot be loaded, the version of that list that is in use. */
  private async loadAll(wanted: ActiveList[]): Promise<{ lists: LoadedList[]; complete: boolean }> {
    let complete = true;
    const lists: LoadedList[] = [];
    for (const row of wanted) {
      const inUse = this.operators.lists.find((list) => list.row.list === row.list);
      if (inUse?.row.id === row.id) {
        lists.push(inUse);
        continue;
      }
      try {
        lists.push(await this.builds.load(row));
      } catch (error) {
        complete = false;
        this.logger.error({ error, name: row.list, version: row.version }, 'a list could not be loaded');
        if (inUse) lists.push(inUse);
      }
    }
    return { lists, complete };
  }

  private async ownList(row: ActiveList): Promise<LoadedList> {
    try {
      return await remembered(this.own, row.id, () => this.builds.load(row));
    } catch (error) {
      if (error instanceof Problem || error instanceof DomainError) throw error;
      this.logger.error({ error, name: row.list, version: row.version }, "a tenant's list could not be loaded");
      throw new DependencyUnavailable('Your own list cannot be loaded at present.', {}, { 'Retry-After': '5' });
    }
  }

  private stored(list: ListCode, version: string, tenantId: string | undefined): Promise<LoadedList> {
    const inUse = this.operators.lists.find(({ row }) => row.list === list && row.version === version);
    if (inUse) return Promise.resolve(inUse);
    const owners = list === 'INTERNAL' && tenantId !== undefined ? [tenantId, null] : [null];
    return remembered(this.old, `${list} ${version} ${tenantId ?? ''}`, async () => {
      for (const owner of owners) {
        const row = await versionNamed(this.database, list, owner, version);
        if (row) return this.builds.load(row);
      }
      throw new UnknownListVersion(list, version);
    });
  }

  private warnUnreachable(error: unknown): void {
    this.logger.warn({ error }, 'the lists in the store could not be looked at; the last good ones stay');
  }
}

/** What was loaded, or is being loaded, under a name; a failure is forgotten. */
function remembered<T extends object>(
  cache: LRUCache<string, Promise<T>>,
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  const known = cache.get(name);
  if (known) return known;
  const loading = load();
  cache.set(name, loading);
  loading.catch(() => cache.delete(name));
  return loading;
}
