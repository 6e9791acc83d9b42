import { checkTimes, isJsonObject, nowInSeconds, timeOf, verifyJwt } from '@constancia/signed-jwt';
import type { JsonObject, JwtKeyFinder, JwtSigner } from '@constancia/signed-jwt';
import { refused } from './refusals.ts';
import { StatusList } from './status-list.ts';

/** The media type of a status list token. */
export const STATUS_LIST_MEDIA_TYPE = 'application/statuslist+jwt';

/** A token may not be larger than this. The list of 131,072 statuses of two bits, were it random, would make one of 60 KB. */
export const MAX_STATUS_TOKEN_BYTES = 524_288;

const TYP = 'statuslist+jwt';

export interface StatusListToIssue {
  list: StatusList;
  /** The address of the list: what credentials name. */
  uri: string;
  /** Seconds since 1970. */
  issuedAtS: number;
  /** Seconds for which the token is valid. */
  lifetimeS: number;
  /** Seconds after which those who keep the token have to fetch it again. */
  ttlS: number;
  /** Where the addresses of all lists of this issuer are found. */
  aggregationUri?: string;
}

/** Signs a list as a status list token (Token Status List, section 5.1). */
export async function issueStatusList(issue: StatusListToIssue, signer: JwtSigner): Promise<string> {
  const { list, uri, issuedAtS, lifetimeS, ttlS, aggregationUri } = issue;
  const { bits, lst } = await list.encode();
  return signer(TYP, {
    sub: uri,
    iat: issuedAtS,
    exp: issuedAtS + lifetimeS,
    ttl: ttlS,
    status_list: aggregationUri === undefined ? { bits, lst } : { bits, lst, aggregation_uri: aggregationUri },
  });
}

export interface ExpectedStatusList {
  /** The address that the credential names: the token has to be about exactly this one. */
  uri: string;
  /** The key that may sign status lists of this issuer. */
  findKey: JwtKeyFinder;
  /** Seconds since 1970; now, if left out. */
  nowS?: number;
}

export interface VerifiedStatusList {
  /** The status at an index, 0 for valid. Throws TokenRefused when the list has no such index. */
  statusAt(index: number): number;
  /** Seconds since 1970: until then the token may be kept, if it was fetched now. */
  keepUntilS: number;
}

/** A list whose signature, class, address and times are as expected (Token Status List, section 8.3). Throws TokenRefused. */
export async function verifyStatusList(token: string, expected: ExpectedStatusList): Promise<VerifiedStatusList> {
  const { uri, findKey, nowS = nowInSeconds() } = expected;
  const { payload } = await verifyJwt(token, { typ: TYP, findKey, maxBytes: MAX_STATUS_TOKEN_BYTES });
  if (payload.sub !== uri) throw refused('subject', 'the list is not the one that the credential names');
  if (timeOf(payload, 'iat') === undefined) throw refused('malformed', 'the list has no iat');
  checkTimes(payload, nowS);
  const encoded = payload.status_list;
  if (!isJsonObject(encoded)) throw refused('malformed', 'status_list is not an object');
  const list = StatusList.decode({ bits: encoded.bits, lst: encoded.lst });
  return { statusAt: (index) => statusAt(list, index), keepUntilS: keepUntil(payload, nowS) };
}

function statusAt(list: StatusList, index: number): number {
  if (!Number.isInteger(index) || index < 0 || index >= list.size) throw refused('index', 'the list has no such index');
  return list.get(index);
}

function keepUntil(payload: JsonObject, nowS: number): number {
  const { ttl } = payload;
  if (ttl !== undefined && (typeof ttl !== 'number' || ttl <= 0))
    throw refused('malformed', 'ttl is not a positive number');
  const exp = timeOf(payload, 'exp');
  if (ttl === undefined) return exp ?? nowS;
  return Math.min(exp ?? Infinity, nowS + ttl);
}
