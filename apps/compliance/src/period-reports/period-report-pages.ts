import type { PageLanguage } from '@constancia/http';
import type { AppendedPage, Block } from '@constancia/pdf-sealing';
import { Sheets, text } from '@constancia/pdf-sealing';
import {
  BOLD,
  headed,
  labelled,
  LETTER,
  paragraphs,
  PLAIN,
  SOFT,
  stacked,
  titled,
} from '../case-reports/report-blocks.ts';
import { wordingOf } from '../case-reports/report-facts.ts';
import type { DecidedListsView, PeriodReportView } from './period-report-view.ts';
import { PERIOD_TEXTS, type PeriodTexts } from './period-report-texts.ts';

/** Rules in the PDF; the others are in the API's answer. */
const MOST_RULES = 60;
const FIGURE_PT = 16;
const NUMBER_PT = 200;
const DAY_SECONDS = 86_400;

export interface PeriodReportFacts {
  report: PeriodReportView;
  language: PageLanguage;
  /** The tenant's name. */
  entity: string;
  madeBy: string;
}

type Figure = readonly [label: string, value: string];

/** The totals of a period on paper. */
export function periodReportPages(facts: PeriodReportFacts): [AppendedPage, ...AppendedPage[]] {
  const { report, language } = facts;
  const texts = PERIOD_TEXTS[language];
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const number = (value: number) => numbers.format(value).replaceAll(/[\u00a0\u202f]/g, ' ');
  const sheets = new Sheets(LETTER);
  const { width } = sheets;
  const section = (title: string, figures: readonly Figure[]): Block[] =>
    titled(title, figures.length === 0 ? paragraphs(texts.none, width) : figures.map((figure) => row(figure, width)));
  const counted = (title: string, counts: Record<string, number>, names: Readonly<Record<string, string>> = {}) =>
    section(title, Object.entries(counts).map(([name, count]): Figure => [names[name] ?? name, number(count)])); // prettier-ignore
  const blocks = [
    head(facts, texts, width),
    ...section(texts.cases, caseFigures(report, texts, number)),
    ...counted(texts.byDecision, report.cases.by_decision, texts.decisions),
    ...section(texts.time, timeFigures(report, texts, number)),
    ...counted(texts.byStatus, report.cases.by_status, texts.statuses),
    ...counted(texts.byPriority, report.cases.by_priority, texts.priorities),
    ...counted(texts.byList, report.cases.by_list, texts.lists),
    ...ruleBlocks(report, texts, width, counted),
    ...section(texts.screenings, [
      [texts.screened, number(report.screenings.made)],
      ...Object.entries(report.screenings.by_outcome).map(([name, count]): Figure => [texts.outcomes[name] ?? name, number(count)]), // prettier-ignore
    ]),
    ...archivedNote(report, language, width),
    ...counted(texts.natural, report.screenings.by_subject_type.natural, texts.outcomes),
    ...counted(texts.legal, report.screenings.by_subject_type.legal, texts.outcomes),
    ...counted(texts.byTrigger, report.screenings.by_trigger, texts.triggers),
    ...counted(texts.screenedLists, report.screenings.by_list, texts.lists),
    ...section(texts.whenDecided, ageFigures(report.cases.lists_when_decided, texts, number)),
    ...section(texts.whenScreened, ageFigures(report.screenings.lists_when_screened, texts, number)),
  ];
  for (const block of blocks) sheets.put(block);
  return sheets.finished(texts.title, texts.page) as [AppendedPage, ...AppendedPage[]];
}

/** What the totals of screenings leave out. */
function archivedNote({ screenings }: PeriodReportView, language: PageLanguage, width: number): Block[] {
  if (screenings.archived_until === null) return [];
  const until = wordingOf(language).time(screenings.archived_until);
  return paragraphs(PERIOD_TEXTS[language].archived(until), width, SOFT);
}

function head({ report, language, entity, madeBy }: PeriodReportFacts, texts: PeriodTexts, width: number): Block {
  const { time } = wordingOf(language);
  return headed(texts.title, [
    labelled(texts.entity, entity, width),
    labelled(texts.period, texts.until(time(report.from), time(report.to)), width),
    labelled(texts.made, texts.by(time(report.made_at), madeBy), width),
    ...paragraphs(texts.reserved, width, SOFT),
  ]);
}

/** What is counted, and its number in a column. */
function row([label, value]: Figure, width: number): Block {
  return {
    height: FIGURE_PT,
    draw: (place) => [
      text(label, { ...place, width: width - NUMBER_PT - 8 }, PLAIN),
      text(value, { ...place, left: place.left + width - NUMBER_PT, width: NUMBER_PT }, BOLD),
    ],
  };
}

type Numbers = (value: number) => string;

function caseFigures({ cases }: PeriodReportView, texts: PeriodTexts, number: Numbers): Figure[] {
  return [
    [texts.opened, number(cases.opened)],
    [texts.overdue, number(cases.overdue)],
    [texts.late, number(cases.resolved_late)],
    [cases.ros_drafts === 0 ? texts.noRos : texts.rosDrafts, number(cases.ros_drafts)],
  ];
}

function timeFigures(
  { cases: { time_to_resolve: times } }: PeriodReportView,
  texts: PeriodTexts,
  number: Numbers,
): Figure[] {
  // prettier-ignore
  if (times === null) return [];
  return [
    [texts.median, texts.hours(number(times.median_hours))],
    [texts.p90, texts.hours(number(times.p90_hours))],
    [texts.longest, texts.hours(number(times.longest_hours))],
  ];
}

function ruleBlocks(
  { cases: { by_rule: rules } }: PeriodReportView,
  texts: PeriodTexts,
  width: number,
  counted: (title: string, counts: Record<string, number>) => Block[],
): Block[] {
  const entries = Object.entries(rules);
  const shown = counted(texts.byRule, Object.fromEntries(entries.slice(0, MOST_RULES)));
  const rest = entries.length - MOST_RULES;
  return rest > 0 ? [...shown, stacked(paragraphs(texts.moreRules(rest), width, SOFT))] : shown;
}

function ageFigures(lists: DecidedListsView, texts: PeriodTexts, number: Numbers): Figure[] {
  if (lists.decisions === 0) return [];
  return [
    [texts.stale, number(lists.with_stale_list)],
    ...(lists.with_unknown_version === 0 ? [] : [[texts.unknown, number(lists.with_unknown_version)] as const]),
    ...lists.by_list.map(({ code, version, age_seconds, max_age_days: most }): Figure => {
      const days = number(Math.round((age_seconds / DAY_SECONDS) * 10) / 10);
      const age = most === null ? texts.age(days, version) : texts.allowed(days, most, version);
      return [texts.oldest(texts.lists[code] ?? code), age];
    }),
  ];
}
