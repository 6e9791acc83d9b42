import { recordContext, SecretBox } from '@constancia/kernel';

/** The key that one subject's personal data is sealed with, unwrapped. Kept for no longer than the work that needs it. */
export class SubjectKey {
  private readonly box: SecretBox;

  constructor(
    private readonly tenantId: string,
    /** UUID of the row of `subject_key`: stored with everything that it sealed. */
    readonly id: string,
    /** 32 bytes. */
    readonly key: Buffer,
  ) {
    this.box = new SecretBox([key]);
  }

  /** Seals a value as JSON. `context` names the row and what of it this is (`screening:<id>:facts`): it opens nowhere else. */
  seal(context: string, value: unknown): Buffer {
    return this.sealText(context, JSON.stringify(value));
  }

  sealText(context: string, text: string): Buffer {
    return this.box.seal(text, this.contextOf(context));
  }

  sealBytes(context: string, bytes: Buffer): Buffer {
    return this.box.seal(bytes, this.contextOf(context));
  }

  /** Opens what seal made. Throws when it was altered, belongs elsewhere, or another key sealed it. */
  open<T>(context: string, sealed: Buffer): T {
    return JSON.parse(this.openText(context, sealed)) as T;
  }

  openText(context: string, sealed: Buffer): string {
    return this.openBytes(context, sealed).toString('utf8');
  }

  openBytes(context: string, sealed: Buffer): Buffer {
    return this.box.open(sealed, this.contextOf(context));
  }

  private contextOf(context: string): string {
    return recordContext({ tenantId: this.tenantId, subjectId: this.id }, context);
  }
}
