import { HashedFile } from '@constancia/pdf-sealing';
import { ObjectStore } from '@constancia/storage';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SealingConfig } from './config.ts';

const MB = 1024 * 1024;

/** The PDFs of templates, kept by content hash within a bound of memory. */
@Injectable()
export class TemplateBytes {
  private readonly kept: LRUCache<string, HashedFile>;
  private readonly fetching = new Map<string, Promise<HashedFile>>();

  constructor(
    private readonly objects: ObjectStore,
    { templateCacheMb }: SealingConfig,
  ) {
    const maxSize = templateCacheMb * MB;
    this.kept = new LRUCache({ maxSize, sizeCalculation: ({ bytes }) => Math.max(bytes.length, 1) });
  }

  /** Fetches once for all who wait. Throws when what the store has is not what was uploaded. */
  get(sha256: Buffer, key: string): Promise<HashedFile> {
    const name = sha256.toString('hex');
    const kept = this.kept.get(name);
    if (kept) return Promise.resolve(kept);
    const under = this.fetching.get(name) ?? this.fetch(name, key).finally(() => this.fetching.delete(name));
    this.fetching.set(name, under);
    return under;
  }

  private async fetch(name: string, key: string): Promise<HashedFile> {
    const pdf = new HashedFile(await this.objects.get(key));
    if (pdf.sha256.toString('hex') !== name) throw new Error('a stored template was altered');
    this.kept.set(name, pdf);
    return pdf;
  }
}
