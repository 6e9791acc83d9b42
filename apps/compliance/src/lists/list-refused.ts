import type { ListFileProblemCode } from '@constancia/name-screening';

/** Why a list was not imported: the file cannot be trusted, or what is in it cannot be this list. */
export type RefusalCode =
  ListFileProblemCode | 'entry_too_long' | 'wrong_list' | 'shrunk' | 'kind_gone' | 'delta_file' | 'no_list_to_change';

/** As it is kept and shown. `detail` says in a sentence what is wrong and what to do. */
export interface Refusal {
  code: RefusalCode;
  detail: string;
  file?: string;
  line?: number;
}

/** A list that was not imported; the last good version stays active. */
export class ListRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.detail);
    this.name = 'ListRefused';
  }
}

/** A list that was refused, with the digest of its files where they could be read. */
export class FilesRefused extends ListRefused {
  constructor(
    refusal: Refusal,
    readonly sha256: string | undefined,
  ) {
    super(refusal);
  }
}
