import { ALL_LIST_CODES } from '@constancia/reference-data';
import { ApiProperty } from '@nestjs/swagger';
import type { ListAtMoment } from '../lists/dated-lists.ts';
import { ListFreshnessView } from '../lists/list-freshness-view.ts';
import { ScreeningDetailView } from './screening-view.ts';
import type { ScreeningRow } from './sealed-screening.ts';

/** One more than there are codes: INTERNAL may be two lists, the operator's and the tenant's own. */
export const MOST_LISTS = ALL_LIST_CODES.length + 1;

/** A screening with what it was made from, and how old the lists were. */
export class DatedScreeningView extends ScreeningDetailView {
  @ApiProperty({
    maxItems: MOST_LISTS,
    type: () => [ListFreshnessView],
    description: 'Each list as it was when the subject was screened.',
  })
  lists_when_screened: ListFreshnessView[];

  static ofDated(row: ScreeningRow, lists: readonly ListAtMoment[]): DatedScreeningView {
    return {
      ...ScreeningDetailView.ofRow(row),
      lists_when_screened: lists.map((list) => ListFreshnessView.of(list)),
    };
  }
}
