import { Env, withArchiveKey, withDataKeys, withObjectStore } from '@constancia/config';
import { HttpConfig } from '@constancia/http';
import { LIST_CODES, type ListCode } from '@constancia/reference-data';
import { IsIn, IsInt, Max, Min } from 'class-validator';

/** What the compliance process is configured with. */
export class ComplianceConfig extends withObjectStore(withArchiveKey(withDataKeys(HttpConfig))) {
  @Env('LISTS_MANDATORY', {
    description: 'Lists without which nobody is screened: as long as one of them is missing, screenings answer 503',
    default: LIST_CODES.join(','),
  })
  @IsIn(LIST_CODES, { each: true })
  mandatoryLists: ListCode[];

  @Env('LIST_MAX_AGE_DAYS', {
    description: 'Days after which a list counts as stale when no file of it was imported again, be it unchanged',
    default: '30',
  })
  @IsInt()
  @Min(1)
  listMaxAgeDays: number;

  @Env('FATF_MAX_AGE_DAYS', {
    description: "Days after the FATF's statement after which its table counts as stale; it meets every four months",
    default: '150',
  })
  @IsInt()
  @Min(1)
  fatfMaxAgeDays: number;

  @Env('SCREENING_ARCHIVE_AFTER_DAYS', {
    description:
      'Age from which closed screenings may be archived into files (npm run ops -- archive run --history screenings --reason …); nothing archives them by itself',
    default: '3653',
  })
  @IsInt()
  @Min(1_826)
  @Max(36_525)
  screeningArchiveAfterDays: number;

  @Env('TIMELINE_ARCHIVE_AFTER_DAYS', {
    description:
      'Days after the resolution of a case from which its timeline may be archived into a file (npm run ops -- archive run --history timelines --reason …); nothing archives it by itself',
    default: '3653',
  })
  @IsInt()
  @Min(400)
  @Max(36_525)
  timelineArchiveAfterDays: number;
}
