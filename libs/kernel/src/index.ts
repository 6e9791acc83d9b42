export { ID_PREFIXES, isUuid, typeId, uuidFloor, uuidOf, uuidTime, uuidv7 } from './ids.ts';
export type { IdPrefix } from './ids.ts';
export { checksum6, randomSecret43 } from './base62.ts';
export { canonicalJson } from './canonical-json.ts';
export type { Json } from './canonical-json.ts';
export { Coalescer } from './coalescer.ts';
export { decodeCursor, encodeCursor } from './cursor.ts';
export { sleep } from './clock.ts';
export { SecretBox } from './secret-box.ts';
