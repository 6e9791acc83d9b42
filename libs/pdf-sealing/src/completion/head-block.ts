import type { Drawing } from '../drawing.ts';
import { BOGOTA, inBogota, inUtc } from '../times.ts';
import type { CompletionFacts } from './facts.ts';
import { QUIET_MODULES, qrModules } from './qr-modules.ts';
import { ACCENT, GREY, heightOf, labelled, panel, text } from './sheets.ts';
import type { Block, Place, Table, Written } from './sheets.ts';
import type { CompletionTexts } from './texts.ts';

const TITLE: Written = { size: 22, face: 'bold', colour: ACCENT };
const ABOUT: Written = { size: 8.5, colour: GREY, lines: 3 };
const VALUE: Written = { size: 9 };
const DIGEST: Written = { size: 7, face: 'fixed' };
const SUMMARY: Table = { labelWidth: 94, rowHeight: 14, label: { size: 8, colour: GREY } };
const HEIGHT_PT = 200;
const QR_PT = 100;

/** What the certificate begins with: its title, the QR code, and the envelope in a few rows. */
export function headBlock(facts: CompletionFacts, texts: CompletionTexts): Block {
  return { height: HEIGHT_PT, draw: (place) => head(facts, texts, place) };
}

function head(facts: CompletionFacts, texts: CompletionTexts, place: Place): Drawing[] {
  const beside = { ...place, width: place.width - QR_PT - 24 };
  const about = { ...beside, top: place.top - 46 };
  return [
    panel(place, 3, ACCENT),
    text(texts.title, { ...beside, top: place.top - 14 }, TITLE),
    text(texts.about, about, ABOUT),
    ...qrCode(facts.verifyUrl, texts, { left: place.left + place.width - QR_PT, top: place.top - 12, width: QR_PT }),
    ...summary(facts, texts, { ...place, top: about.top - heightOf(ABOUT) - 8 }),
  ];
}

/** With its quiet zone inside the place. */
function qrCode(url: string, texts: CompletionTexts, { left, top, width }: Place): Drawing[] {
  const rows = qrModules(url);
  const module = width / (rows.length + 2 * QUIET_MODULES);
  const side = rows.length * module;
  const inset = QUIET_MODULES * module;
  const code: Drawing = { kind: 'modules', key: 'certificate', x: left + inset, y: top - inset - side, width: side, height: side, rows }; // prettier-ignore
  return [code, text(texts.scan, { left, top: top - width + 2, width }, { size: 7, colour: GREY, align: 'centre' })];
}

function summary(facts: CompletionFacts, { summary: label, pages }: CompletionTexts, place: Place): Drawing[] {
  const { document, sentAt, signers } = facts;
  const completedAt = new Date(Math.max(...signers.map(({ signedAt }) => signedAt.getTime()), sentAt.getTime()));
  const rows: [string, string, Written][] = [
    [label.subject, facts.subject, { ...VALUE, face: 'bold' }],
    [label.sender, facts.tenant, VALUE],
    [label.envelope, facts.envelopeId, VALUE],
    [label.document, pages(document.pages), VALUE],
    [label.digest, document.sha256, DIGEST],
    [label.sent, byBothClocks(sentAt), VALUE],
    [label.completed, byBothClocks(completedAt), VALUE],
    [label.verify, facts.verifyUrl, { ...VALUE, colour: ACCENT }],
  ];
  return labelled(rows, place, SUMMARY);
}

const byBothClocks = (at: Date) => `${inUtc(at)} UTC  ·  ${inBogota(at)} Bogotá (${BOGOTA})`;
