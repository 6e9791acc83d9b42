import type { PageLanguage } from '@constancia/http';
import type { Block } from '@constancia/pdf-sealing';
import { MATCH_WORDS } from '@constancia/reference-data/case-words';
import type { ListFreshnessView } from '../lists/list-freshness-view.ts';
import { labelled, paragraphs, stacked, titled } from './report-blocks.ts';
import type { Wording } from './report-facts.ts';

const DAY_SECONDS = 86_400;

const SPANISH = {
  whenScreened: 'Listas con las que se consultó, y su antigüedad entonces',
  whenDecided: 'Antigüedad de esas listas al decidir',
  none: 'Ninguna.',
  version: (name: string) => `Versión ${name}`,
  unknownDates: 'No se conservan sus fechas.',
  published: (day: string) => `publicada el ${day}`,
  imported: (day: string) => `importada el ${day}`,
  checked: (day: string) => `revisada por última vez el ${day}`,
  superseded: (day: string) => `reemplazada el ${day}`,
  age: (days: string) => `antigüedad: ${days} días`,
  stale: (most: number) => `MÁS de los ${most} días permitidos`,
};

const ENGLISH: typeof SPANISH = {
  whenScreened: 'Lists that were screened against, and their age then',
  whenDecided: 'Age of those lists at the decision',
  none: 'None.',
  version: (name) => `Version ${name}`,
  unknownDates: 'Its dates are not kept.',
  published: (day) => `published ${day}`,
  imported: (day) => `imported ${day}`,
  checked: (day) => `last checked ${day}`,
  superseded: (day) => `superseded ${day}`,
  age: (days) => `age: ${days} days`,
  stale: (most) => `OLDER than the ${most} days allowed`,
};

const TEXTS: Readonly<Record<PageLanguage, typeof SPANISH>> = { 'es-CO': SPANISH, en: ENGLISH };

interface DecidedLists {
  lists_when_screened: readonly ListFreshnessView[];
  lists_when_decided: readonly ListFreshnessView[] | null;
}

/** How old the lists were when a subject was screened, and when its case was decided. */
export function listBlocks(of: DecidedLists, width: number, wording: Wording): Block[] {
  const texts = TEXTS[wording.language];
  return [
    ...titled(texts.whenScreened, rows(of.lists_when_screened, width, wording)),
    ...(of.lists_when_decided === null ? [] : titled(texts.whenDecided, rows(of.lists_when_decided, width, wording))),
  ];
}

function rows(lists: readonly ListFreshnessView[], width: number, wording: Wording): Block[] {
  const texts = TEXTS[wording.language];
  if (lists.length === 0) return paragraphs(texts.none, width);
  const names = MATCH_WORDS[wording.language].lists;
  return [stacked(lists.map((list) => labelled(names[list.code], sentence(list, wording), width)))];
}

function sentence(list: ListFreshnessView, { language, dayOrTime }: Wording): string {
  const texts = TEXTS[language];
  const { version, age_seconds: age, max_age_days: most } = list;
  if (age === null) return `${texts.version(version)}. ${texts.unknownDates}`;
  const days = (age / DAY_SECONDS).toLocaleString(language, { maximumFractionDigits: 1 });
  const dated = (say: (day: string) => string, at: string | null) => (at === null ? [] : [say(dayOrTime(at))]);
  return [
    texts.version(version),
    ...dated(texts.published, list.published_at),
    ...dated(texts.imported, list.imported_at),
    ...dated(texts.checked, list.checked_at),
    ...dated(texts.superseded, list.superseded_at),
    texts.age(days),
    ...(list.stale && most !== null ? [texts.stale(most)] : []),
  ].join('; ');
}
