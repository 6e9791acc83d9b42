import { nowInSeconds } from '@constancia/signed-jwt';
import { verifyStatusList } from './status-list-token.ts';
import type { ExpectedStatusList, VerifiedStatusList } from './status-list-token.ts';

/** Fetches the token at an address. Throws when it cannot be had. */
export type StatusListFetch = (uri: string) => Promise<string>;

export interface StatusListCacheOptions {
  fetch: StatusListFetch;
  findKey: ExpectedStatusList['findKey'];
  /** Seconds since 1970. */
  now?: () => number;
}

/** However long an issuer lets its lists be kept, a revocation is seen after this at the latest. */
const MAX_KEPT_S = 300;

/** Lists that are kept. Each takes 1 MiB at most, ours 32 KiB. */
const MAX_LISTS = 64;

interface KeptList {
  list: VerifiedStatusList;
  untilS: number;
}

/** Reads statuses for a verifier. A list is fetched once for all who need it at the same time, and kept for as long as it allows. */
export class StatusListCache {
  private readonly kept = new Map<string, KeptList>();
  private readonly fetching = new Map<string, Promise<VerifiedStatusList>>();
  private readonly now: () => number;

  constructor(private readonly options: StatusListCacheOptions) {
    this.now = options.now ?? nowInSeconds;
  }

  /** The status that a credential refers to, 0 for valid. Throws TokenRefused when its list is not acceptable, and what the fetch throws. */
  async statusOf({ uri, idx }: { uri: string; idx: number }): Promise<number> {
    return (await this.listAt(uri)).statusAt(idx);
  }

  private listAt(uri: string): VerifiedStatusList | Promise<VerifiedStatusList> {
    const kept = this.kept.get(uri);
    if (kept && this.now() < kept.untilS) return kept.list;
    const running = this.fetching.get(uri);
    if (running) return running;
    const fetching = this.fetchList(uri).finally(() => this.fetching.delete(uri));
    this.fetching.set(uri, fetching);
    return fetching;
  }

  private async fetchList(uri: string): Promise<VerifiedStatusList> {
    // The time before the answer came: what was revoked meanwhile is seen in time.
    const nowS = this.now();
    const token = await this.options.fetch(uri);
    const list = await verifyStatusList(token, { uri, findKey: this.options.findKey, nowS });
    this.keep(uri, { list, untilS: Math.min(list.keepUntilS, nowS + MAX_KEPT_S) });
    return list;
  }

  private keep(uri: string, list: KeptList): void {
    this.kept.delete(uri); // to the end: the first is the one that was fetched longest ago
    this.kept.set(uri, list);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_LISTS && oldest !== undefined) this.kept.delete(oldest);
  }
}
