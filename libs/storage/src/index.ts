export { ObjectMissing, ObjectStore, StorageUnavailable } from './object-store.ts';
export { openObject, sealedObjectKey, sealObject } from './sealed-object.ts';
export type { SealedObjectName } from './sealed-object.ts';
export { FilesystemStore } from './filesystem-store.ts';
export { S3Store } from './s3-store.ts';
export type { DirectTarget } from './direct-target.ts';
export { StorageModule } from './storage.module.ts';
