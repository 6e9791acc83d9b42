import { FilesystemStore } from './filesystem-store.ts';
import type { ObjectStore } from './object-store.ts';
import { S3Store } from './s3-store.ts';

/** Where objects live: a folder (STORAGE_DIR), or a bucket (S3_*), which wins when both are given. */
export interface StorageConfig {
  storageDir?: string;
  s3Bucket?: string;
  s3Endpoint?: string;
  s3Region?: string;
  s3ForcePathStyle?: boolean;
  s3AccessKeyId?: string;
  s3SecretAccessKey?: string;
}

/** The store that the configuration names. Throws when it names none. */
export function objectStore(config: StorageConfig): ObjectStore {
  if (config.s3Bucket) {
    const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
    return new S3Store({
      bucket: config.s3Bucket,
      endpoint: config.s3Endpoint,
      region: config.s3Region,
      forcePathStyle: config.s3ForcePathStyle,
      credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    });
  }
  if (config.storageDir) return new FilesystemStore({ dir: config.storageDir });
  throw new Error('objects need STORAGE_DIR or S3_BUCKET');
}
