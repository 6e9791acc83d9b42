import type { Block } from '@constancia/pdf-sealing';
import type { CaseDossierView } from '../case-dossiers/case-dossier-view.ts';
import type { CaseEventView } from '../cases/case-detail-view.ts';
import { ALARM, BOLD, clipped, paragraphs, PLAIN, SOFT, stacked } from './report-blocks.ts';
import type { Wording } from './report-facts.ts';

/** The last ones; earlier ones are in the API's answer. */
const MOST_EVENTS = 300;
const INDENT_PT = 14;

/** The state of the chain, then what happened, the oldest first, in plain words. */
export function timelineBlocks(
  { timeline, chain_valid }: CaseDossierView,
  isShown: (event: CaseEventView) => boolean,
  width: number,
  wording: Wording,
): Block[] {
  const { texts } = wording;
  const events = timeline.filter(isShown);
  const earlier = Math.max(0, events.length - MOST_EVENTS);
  const state = chain_valid ? texts.chainValid(timeline.at(-1)?.hash ?? '') : texts.chainBroken;
  return [
    stacked([
      ...paragraphs(state, width, chain_valid ? PLAIN : ALARM),
      ...(earlier > 0 ? paragraphs(texts.earlier(earlier), width, SOFT) : []),
    ]),
    ...events.slice(earlier).flatMap((event) => eventBlocks(event, width, wording)),
  ];
}

function eventBlocks(event: CaseEventView, width: number, { texts, time }: Wording): Block[] {
  const { type, actor, at, data, to } = event;
  const textOf = (member: string) => (typeof data[member] === 'string' ? data[member] : '');
  const decision = texts.decisions[textOf('decision') as keyof typeof texts.decisions];
  const details = [
    type === 'assigned' && textOf('assignee'),
    decision,
    textOf('name'),
    type === 'attached' && `SHA-256 ${textOf('sha256')}`,
    (type === 'resolution_returned' || type === 'resolution_withdrawn') && texts.statuses[to],
  ].filter((detail) => typeof detail === 'string' && detail !== '');
  const who = actor === 'system' ? texts.system : actor;
  const [first, ...others] = paragraphs(textOf('body') || textOf('reason'), width, PLAIN, INDENT_PT);
  const head = stacked([
    ...paragraphs(time(at), width, SOFT),
    ...paragraphs(`${who}: ${clipped([texts.events[type], ...details].join(' · '))}`, width, BOLD),
    ...(first === undefined ? [] : [first]),
  ]);
  return [head, ...others];
}
