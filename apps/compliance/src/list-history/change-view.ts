import { shape } from '@constancia/contracts';
import type { ListEntry } from '@constancia/name-screening';
import { ApiProperty } from '@nestjs/swagger';
import type { EntryChange } from '../lists/entry-lines.ts';

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Of one entry; a published list has a few dozen. */
const MOST_VALUES = 200;
const values = {
  maxItems: MOST_VALUES,
  type: 'array' as const,
  items: { type: 'string' as const, ...shape.listEntry.text },
};

export class ListEntryView {
  @ApiProperty(shape.listEntry.text)
  name: string;

  @ApiProperty({ enum: ['person', 'organisation', 'vessel', 'aircraft', 'unknown'] })
  kind: ListEntry['kind'];

  @ApiProperty(values)
  aliases: string[];

  @ApiProperty({ ...values, example: ['1962-01-01 – 1962-12-31'] })
  birth_dates: string[];

  @ApiProperty(values)
  countries: string[];

  @ApiProperty({ ...values, example: ['CC CO 1000000001'] })
  identifiers: string[];

  @ApiProperty(values)
  programmes: string[];

  @ApiProperty({ ...shape.listEntry.text, type: String, nullable: true })
  role: string | null;

  static of({ kind, names, birthDates, countries, identifiers, programmes, role }: ListEntry): ListEntryView {
    const few = (texts: string[]): string[] => texts.slice(0, MOST_VALUES);
    return {
      name: names[0]?.text ?? '',
      kind,
      aliases: few(names.slice(1).map(({ text }) => text)),
      birth_dates: few(birthDates.map(({ from, to }) => (from === to ? from : `${from} – ${to}`))),
      countries: few(countries),
      identifiers: few(
        identifiers.map(({ type, country, number }) => [type, country, number].filter(Boolean).join(' ')),
      ),
      programmes: few(programmes),
      role: role ? [role.title, role.until].filter(Boolean).join(', ') : null,
    };
  }
}

/** What an import changed of one entry. */
export class ListChangeView {
  @ApiProperty({ enum: CHANGE_KINDS, enumName: 'ListChangeKind', example: 'added' })
  change: ChangeKind;

  @ApiProperty({ ...shape.listEntry.id, description: 'The list’s own identifier of the entry.' })
  entry_id: string;

  @ApiProperty({ type: () => ListEntryView, nullable: true, description: 'null: it was not on the list.' })
  before: ListEntryView | null;

  @ApiProperty({ type: () => ListEntryView, nullable: true, description: 'null: it is on the list no more.' })
  after: ListEntryView | null;

  static of({ before, after }: EntryChange): ListChangeView {
    return {
      change: before === null ? 'added' : after === null ? 'removed' : 'changed',
      entry_id: (after ?? before)?.id ?? '',
      before: before && ListEntryView.of(before),
      after: after && ListEntryView.of(after),
    };
  }
}

export class ListChangePage {
  @ApiProperty({ ...shape.page, type: () => [ListChangeView] })
  data: ListChangeView[];

  @ApiProperty({ ...shape.cursor, type: String, nullable: true })
  next_cursor: string | null;
}
