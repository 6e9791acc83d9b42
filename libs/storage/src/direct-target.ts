/** What an address of the store itself binds: it takes exactly this type and so many bytes. */
export interface DirectPut {
  contentType: string;
  contentLength: number;
  expiresInSeconds: number;
}

/** A store that others may write to directly, at an address that is good for one key and for a time. */
export interface DirectTarget {
  /** The address that a PUT with exactly this Content-Type and Content-Length may go to. Throws StorageUnavailable without credentials. */
  presignPut(key: string, put: DirectPut): Promise<string>;
}
