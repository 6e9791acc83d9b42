import { Database, type Tx } from '@constancia/persistence';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { Injectable } from '@nestjs/common';
import { ComplianceConfig } from '../config.ts';
import { ageMs, maxAgeDays, type MaxAges, maxAgeMs } from './list-age.ts';
import type { ListVersion } from './list-version.entity.ts';
import { versionsIn } from './pinned-lists.ts';

/** Names of versions as screenings and cases keep them. */
export type NamedVersions = Readonly<Partial<Record<ListCode, string>>>;

/** What is known of a version; `checks`: when its file was imported, changed or not, the oldest first. */
export type DatedVersion = Pick<
  ListVersion,
  'list' | 'tenant_id' | 'version' | 'published_at' | 'imported_at' | 'superseded_at' | 'fictional'
> & { checks: Date[] };

/** A list as it was at a moment. Dates and age are null where the version is not kept. */
export interface ListAtMoment {
  list: ListCode;
  version: string;
  isOwn: boolean;
  publishedAt: Date | null;
  importedAt: Date | null;
  /** When its file was last imported before that moment, changed or not. */
  checkedAt: Date | null;
  /** When another version took its place, if that was before. */
  supersededAt: Date | null;
  ageMs: number | null;
  /** Null: it does not age. */
  maxAgeDays: number | null;
  isStale: boolean;
}

const DATED = `select v.list, v.tenant_id, v.version, v.published_at, v.imported_at, v.superseded_at, v.fictional,
    array(select c.checked_at from compliance.list_check c where c.version_id = v.id order by c.checked_at) as checks
  from compliance.list_version v where v.status <> 'refused'`;

/** Reads how old lists were at some moment. */
@Injectable()
export class ListAges {
  constructor(
    private readonly config: ComplianceConfig,
    private readonly database: Database,
  ) {}

  /** Each list that these name, as it was then. */
  async at(tenantId: string, names: NamedVersions, moment: Date): Promise<ListAtMoment[]> {
    const dated = await this.database.tenant(tenantId, (tx) => this.named(tx, names));
    return dated.at(names, moment);
  }

  /** The dates of the versions that these name. */
  async named(tx: Tx, names: NamedVersions): Promise<DatedLists> {
    const pairs = Object.entries(names).flatMap(([list, both]) =>
      versionsIn(both).map((version) => [list, version] as const),
    );
    const rows = await tx.query<DatedVersion>(
      `${DATED} and (v.list, v.version) in (select * from unnest($1::text[], $2::text[]))`,
      [pairs.map(([list]) => list), pairs.map(([, version]) => version)],
    );
    return new DatedLists(rows, this.config);
  }

  /** The dates of all versions that were active then or later. A process may use a version for a moment after it was superseded. */
  async since(tx: Tx, from: Date): Promise<DatedLists> {
    const rows = await tx.query<DatedVersion>(
      `${DATED} and (v.superseded_at is null or v.superseded_at >= $1::timestamptz - interval '1 day')`,
      [from],
    );
    return new DatedLists(rows, this.config);
  }
}

/** Versions of lists with their dates. */
export class DatedLists {
  private readonly versions: ReadonlyMap<string, DatedVersion>;

  constructor(
    rows: readonly DatedVersion[],
    private readonly ages: MaxAges,
  ) {
    this.versions = new Map(rows.map((row) => [nameOf(row.list, row.version, row.tenant_id !== null), row]));
  }

  /** Each list that these name, as it was then, in the order in which results name lists. */
  at(names: NamedVersions, moment: Date): ListAtMoment[] {
    return ALL_LIST_CODES.flatMap((list) => {
      const both = names[list];
      if (both === undefined) return [];
      const [first = '', own] = versionsIn(both);
      if (own !== undefined) return [this.one(list, first, [false], moment), this.one(list, own, [true], moment)];
      return [this.one(list, first, [true, false], moment)];
    });
  }

  /** When a list was imported or became stale, the earliest first: between two of these moments, the age of a list only grows. */
  turningPoints(): Date[] {
    const times = new Set<number>();
    for (const version of this.versions.values()) {
      const most = maxAgeMs(version, this.ages);
      for (const check of version.checks) {
        times.add(check.getTime());
        if (most !== null) times.add(sinceOf(version, check).getTime() + most + 1);
      }
    }
    return [...times].sort((a, b) => a - b).map((time) => new Date(time));
  }

  private one(list: ListCode, version: string, owners: readonly boolean[], moment: Date): ListAtMoment {
    const isOwn = owners.find((own) => this.versions.has(nameOf(list, version, own))) ?? false;
    const known = this.versions.get(nameOf(list, version, isOwn));
    const checkedAt = known?.checks.findLast((check) => check <= moment) ?? known?.checks[0];
    if (known === undefined || checkedAt === undefined) return { ...UNKNOWN, list, version };
    const age = ageMs({ ...known, checked_at: checkedAt }, moment.getTime());
    const most = maxAgeMs(known, this.ages);
    const { published_at: publishedAt, imported_at: importedAt, superseded_at: superseded } = known;
    return {
      ...{ list, version, isOwn, publishedAt, importedAt, checkedAt },
      supersededAt: superseded !== null && superseded <= moment ? superseded : null,
      ageMs: age,
      maxAgeDays: maxAgeDays(known, this.ages),
      isStale: most !== null && age > most,
    };
  }
}

const UNKNOWN = {
  ...{ isOwn: false, publishedAt: null, importedAt: null, checkedAt: null, supersededAt: null },
  ...{ ageMs: null, maxAgeDays: null, isStale: false },
} as const;

const nameOf = (list: string, version: string, isOwn: boolean): string => `${list} ${version} ${isOwn}`;

const sinceOf = ({ list, published_at }: DatedVersion, check: Date): Date =>
  list === 'FATF' ? (published_at ?? check) : check;

/** The list that was oldest, of those whose age is known. */
export function oldestOf(lists: readonly ListAtMoment[]): (ListAtMoment & { ageMs: number }) | undefined {
  return lists
    .filter((list): list is ListAtMoment & { ageMs: number } => list.ageMs !== null)
    .reduce<(ListAtMoment & { ageMs: number }) | undefined>(
      (oldest, list) => (oldest === undefined || list.ageMs > oldest.ageMs ? list : oldest),
      undefined,
    );
}
