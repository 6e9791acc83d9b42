import { compileTemplate } from './compile-template.ts';
import type { CompiledTemplate } from './compiled-template.ts';

/** Compiled templates by the SHA-256 of their file, the least recently used forgotten first. */
export class TemplateCache {
  private readonly known = new Map<string, CompiledTemplate>();
  private held = 0;

  constructor(private readonly mostBytes: number) {}

  get(sha256: string): CompiledTemplate | undefined {
    const template = this.known.get(sha256);
    if (!template) return undefined;
    this.known.delete(sha256);
    this.known.set(sha256, template);
    return template;
  }

  /** Throws SealingFailure. A template that fails is not remembered. */
  async compile(sha256: string, pdf: Buffer): Promise<CompiledTemplate> {
    const template = this.get(sha256) ?? (await compileTemplate(pdf));
    if (this.known.has(sha256) || template.heldBytes > this.mostBytes) return template;
    this.known.set(sha256, template);
    this.held += template.heldBytes;
    for (const [oldest, { heldBytes }] of this.known) {
      if (this.held <= this.mostBytes) break;
      this.known.delete(oldest);
      this.held -= heldBytes;
    }
    return template;
  }
}
