import { describe, expect, it } from 'vitest';
import { ArchiveDamaged, type ArchiveFile, FIRST_HEAD, readArchive, sha256Of, writeArchive } from './archive-file.ts';

const FILE: ArchiveFile = {
  history: 'ledger',
  table: 'platform.credit_entry',
  tenant_id: '01a22483-599d-754a-a61b-c3f9a9adf7e1',
  from: 1,
  through: 3,
  head_before: FIRST_HEAD,
  previous_sha256: null,
  rows: ['{"seq": 1}', '{"seq": 2, "reason": "café\\nnegro"}', '{"seq": 3}'],
};
const written = writeArchive(FILE);
const text = written.bytes.toString();

const faultIn = (changed: string, header: ArchiveFile = FILE, head = written.head_after): string | undefined => {
  try {
    readArchive(Buffer.from(changed), header, head);
    return undefined;
  } catch (error) {
    return (error as ArchiveDamaged).fault;
  }
};

describe('an archived file', () => {
  it('reads back as it was written, and the same rows are the same bytes', () => {
    expect(readArchive(written.bytes, FILE, written.head_after)).toEqual(FILE.rows);
    expect(writeArchive({ ...FILE }).sha256).toBe(written.sha256);
    expect(sha256Of(written.bytes)).toBe(written.sha256);
  });

  it('goes on from the chain of the file before', () => {
    const next = { ...FILE, from: 4, through: 4, head_before: written.head_after, rows: ['{"seq": 4}'] };
    const after = writeArchive({ ...next, previous_sha256: written.sha256 });
    expect(after.head_after).toBe(sha256Of(`${written.head_after}{"seq": 4}`));
    expect(faultIn(after.bytes.toString(), { ...next, previous_sha256: null }, after.head_after)).toBe('header');
  });

  it.each([
    ['a changed row', text.replace('"seq": 2', '"seq": 9'), 'chain'],
    ['a row that is gone', text.replace('{"seq": 3}\n', ''), 'chain'],
    [
      'two rows in the other order',
      text.replace('{"seq": 1}', '{"seq": 3}').replace(/\{"seq": 3\}\n\{"rows/, '{"seq": 1}\n{"rows'),
      'chain',
    ],
    ['another header', text.replace('"through":3', '"through":4'), 'header'],
    ['another number of rows at its end', text.replace('"rows":3', '"rows":2'), 'end'],
    ['something after its end', `${text}x`, 'end'],
    ['nothing in it', '', 'header'],
  ])('is damaged with %s', (_, changed, fault) => {
    expect(changed).not.toBe(text);
    expect(faultIn(changed)).toBe(fault);
  });
});
