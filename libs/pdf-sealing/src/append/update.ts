import { createHash } from 'node:crypto';
import type { CompiledTemplate, ObjectId } from './compiled-template.ts';

interface Written extends ObjectId {
  offset: number;
}

/**
 * The bytes that follow a file to change it: objects, new or in place of old ones, then a cross-reference section of the file's own form
 * (ISO 32000-1, 7.5.6). Nothing before is touched.
 */
export class Update {
  private readonly parts: (string | Uint8Array)[] = [];
  /** The end of the parts while it is text. Latin1: a character is a byte. */
  private text = '';
  private readonly objects: Written[] = [];
  private readonly base: number;
  private next: number;
  private at: number;

  constructor(private readonly template: CompiledTemplate) {
    this.next = template.size;
    this.at = this.base = template.length;
    if (!template.endsInLine) this.push('\n');
  }

  /** A new object's number, to be set later. */
  reserve(): number {
    return this.next++;
  }

  /** Writes a new object (latin1 text) and answers its number. */
  add(body: string): number {
    const number = this.reserve();
    this.set({ number, generation: 0 }, body);
    return number;
  }

  addStream(contents: Uint8Array | string, entries = ''): number {
    const number = this.reserve();
    this.setStream(number, contents, entries);
    return number;
  }

  setStream(number: number, contents: Uint8Array | string, entries: string): void {
    this.begin({ number, generation: 0 });
    this.push(`<< ${entries}/Length ${contents.length} >>\nstream\n`);
    this.push(contents);
    this.push('\nendstream\nendobj\n');
  }

  /** Writes an object; answers the offset in the file where its body begins. */
  set(id: ObjectId, body: string): number {
    this.begin(id);
    const start = this.at;
    this.push(`${body}\nendobj\n`);
    return start;
  }

  /** The whole update. */
  finish(): Buffer {
    const { kind, startXref, root, info, firstId } = this.template;
    const body = this.joined();
    const digest = this.digest(body);
    const id = firstId === '' ? `<${digest}>` : firstId;
    const members = `/Prev ${startXref} /Root ${root} ${info && `/Info ${info} `}/ID [${id} <${digest}>]`;
    if (kind === 'table') this.pushTable(members);
    else this.pushStream(members);
    return Buffer.concat([body, this.joined()]);
  }

  private begin({ number, generation }: ObjectId): void {
    this.objects.push({ number, generation, offset: this.at });
    this.push(`${number} ${generation} obj\n`);
  }

  private push(part: string | Uint8Array): void {
    if (typeof part === 'string') this.text += part;
    else {
      this.parts.push(this.text, part);
      this.text = '';
    }
    this.at += part.length;
  }

  /** What was pushed since the last time. */
  private joined(): Buffer {
    const parts = [...this.parts.splice(0), this.text];
    this.text = '';
    const whole = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      if (typeof part === 'string') whole.write(part, at, 'latin1');
      else whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  /** Of this version of the file: the second part of /ID. The same input has the same. */
  private digest(body: Buffer): string {
    const { startXref, firstId } = this.template;
    const hash = createHash('sha256').update(`${this.base} ${startXref} ${firstId}`).update(body);
    return hash.digest('hex').slice(0, 32);
  }

  private pushTable(members: string): void {
    const start = this.at;
    let text = 'xref\n';
    for (const run of this.runs()) {
      text += `${(run[0] as Written).number} ${run.length}\n`;
      for (const { offset, generation } of run)
        text += `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
    }
    this.push(`${text}trailer\n<< /Size ${this.next} ${members} >>\nstartxref\n${start}\n%%EOF\n`);
  }

  private pushStream(members: string): void {
    const start = this.at;
    this.objects.push({ number: this.reserve(), generation: 0, offset: start });
    const own = this.next - 1;
    const runs = this.runs();
    const rows = Buffer.alloc(this.objects.length * 7);
    let at = 0;
    for (const { offset, generation } of runs.flat()) {
      rows[at] = 1;
      rows.writeUInt32BE(offset, at + 1);
      rows.writeUInt16BE(generation, at + 5);
      at += 7;
    }
    const index = runs.map((run) => `${(run[0] as Written).number} ${run.length}`).join(' ');
    this.push(
      `${own} 0 obj\n<< /Type /XRef /Size ${this.next} /Index [${index}] /W [1 4 2] ${members} /Length ${rows.length} >>\nstream\n`,
    );
    this.push(rows);
    this.push(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`);
  }

  /** Objects by number, in runs without a gap. */
  private runs(): Written[][] {
    const runs: Written[][] = [];
    for (const object of [...this.objects].sort((a, b) => a.number - b.number)) {
      const last = runs.at(-1);
      if (last && (last.at(-1) as Written).number + 1 === object.number) last.push(object);
      else runs.push([object]);
    }
    return runs;
  }
}
