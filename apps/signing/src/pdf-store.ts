import type { Readable } from 'node:stream';
import { DependencyUnavailable, InternalError } from '@constancia/problem-json';
import { ObjectMissing, ObjectStore, StorageUnavailable } from '@constancia/storage';
import { Injectable } from '@nestjs/common';

/**
 * The PDFs of this module. A store that is unavailable is answered with 503 dependency-unavailable; a file that its row names and the store
 * lacks is our own fault (500).
 */
@Injectable()
export class PdfStore {
  constructor(private readonly objects: ObjectStore) {}

  /** Keeps a PDF under a key that its content determines: the same bytes again change nothing. */
  put(key: string, pdf: Buffer): Promise<void> {
    return withStorageProblems(this.objects.put(key, pdf, { contentType: 'application/pdf' }));
  }

  stream(key: string): Promise<{ body: Readable; size: number }> {
    return withStorageProblems(this.objects.stream(key));
  }

  get(key: string): Promise<Buffer> {
    return withStorageProblems(this.objects.get(key));
  }

  ping(): Promise<void> {
    return this.objects.ping();
  }
}

async function withStorageProblems<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageUnavailable) {
      throw new DependencyUnavailable('The document store cannot be reached at present.', {}, {}, error);
    }
    throw error instanceof ObjectMissing ? new InternalError(error) : error;
  }
}
