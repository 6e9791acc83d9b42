export { StatusListCache } from './status-list-cache.ts';
export type { StatusListCacheOptions, StatusListFetch } from './status-list-cache.ts';
export type { StatusListRefusal } from './refusals.ts';
export { MAX_LIST_BYTES, STATUS, StatusList } from './status-list.ts';
export type { EncodedStatusList, StatusBits } from './status-list.ts';
export {
  MAX_STATUS_TOKEN_BYTES,
  STATUS_LIST_MEDIA_TYPE,
  issueStatusList,
  verifyStatusList,
} from './status-list-token.ts';
export type { ExpectedStatusList, StatusListToIssue, VerifiedStatusList } from './status-list-token.ts';
