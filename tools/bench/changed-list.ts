import type { ListEntry } from '@constancia/name-screening';
import { syntheticPeople } from './synthetic-people.ts';

/** Somebody to be screened. */
export interface Subject {
  ref: string;
  payload: {
    full_name: string;
    birth_date: string;
    country_code: string;
    document_type: string;
    document_number: string;
  };
}

/** Invented people; every thousandth has the name of somebody listed. */
export function subjectsAmong(listed: readonly ListEntry[], count: number): Subject[] {
  return [...syntheticPeople(count, 7)].map(({ fullName, birthDate }, nth) => {
    const full_name = nth % 1_000 === 0 ? (listed[nth / 1_000]?.names[0]?.text ?? fullName) : fullName;
    const document_number = String(10_000_000 + nth * 7_919);
    return {
      ref: `subject-${nth}`,
      payload: { full_name, birth_date: birthDate, country_code: 'CO', document_type: 'CC', document_number },
    };
  });
}

/** A list after so many changes: a third added, every third of them with the name of a subject; a third changed, a third removed. */
export function changed(entries: readonly ListEntry[], subjects: readonly Subject[], changes: number): ListEntry[] {
  const third = Math.floor(changes / 3);
  const added = Array.from({ length: changes - 2 * third }, (_, nth): ListEntry => {
    const { payload } = subjects[Math.floor((nth * subjects.length) / changes) + 7] as Subject;
    const listed = (entries[entries.length - 1 - nth] as ListEntry).names[0]?.text ?? '';
    const text = nth % 3 === 0 ? payload.full_name : `${listed} ibn Ahmad`;
    return { ...(entries[0] as ListEntry), id: `new-${nth}`, names: [{ text, quality: 'primary' }], birthDates: [], identifiers: [] }; // prettier-ignore
  });
  const other = (entry: ListEntry): ListEntry => ({ ...entry, programmes: [...entry.programmes, 'BENCH'] });
  return [...entries.slice(0, third).map(other), ...entries.slice(2 * third), ...added];
}

/** In the form that operators write. */
export function csvOfEntries(entries: readonly ListEntry[]): Buffer {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const many = (texts: readonly string[]) => quoted(texts.map((text) => quoted(text)).join('; '));
  const rows = entries.map(({ id, kind, names, programmes, countries }) => {
    const [first, ...more] = names;
    const aliases = (quality: string) => many(more.filter((name) => name.quality === quality).map(({ text }) => text));
    return [quoted(id), kind, quoted(first?.text ?? id), aliases('strong'), aliases('weak'), many(countries), many(programmes)].join(','); // prettier-ignore
  });
  return Buffer.from(['id,kind,name,aliases,weak_aliases,countries,programmes', ...rows, ''].join('\n'));
}
