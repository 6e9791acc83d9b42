import type { AppendedPage, Drawing } from '../drawing.ts';
import { BOGOTA, inBogota, inUtc } from '../times.ts';
import type { CompletionFacts } from './facts.ts';
import { QUIET_MODULES, qrModules } from './qr-modules.ts';
import { ACCENT, GREY, heightOf, LINE, PANEL, panel, Sheets, text } from './sheets.ts';
import type { Place, Written } from './sheets.ts';
import { signerCard, signerCardHeight } from './signer-card.ts';
import { COMPLETION_TEXTS } from './texts.ts';
import type { CompletionTexts } from './texts.ts';

const LETTER = { width: 612, height: 792 };
const A4 = { width: 595, height: 842 };

const TITLE: Written = { size: 22, face: 'bold', colour: ACCENT };
const ABOUT: Written = { size: 8.5, colour: GREY, lines: 3 };
const PARAGRAPH: Written = { size: 9, lines: 2 };
const HEADING: Written = { size: 12, face: 'bold', colour: ACCENT };
const LABEL: Written = { size: 8, colour: GREY };
const VALUE: Written = { size: 9 };
const DIGEST: Written = { size: 7, face: 'fixed' };
const COMMAND: Written = { size: 8, face: 'fixed' };
const QR_PT = 100;
const LABEL_PT = 94;
const ROW_PT = 14;

/**
 * The pages that follow a document which all have signed: who signed it, when, on what evidence, and how that is verified without the service.
 * Nothing that is told can stop the seal: what does not fit is cut, what cannot be drawn stands as U+FFFD.
 */
export function completionCertificate(facts: CompletionFacts): AppendedPage[] {
  const texts = COMPLETION_TEXTS[facts.locale];
  const sheets = new Sheets(paperOf(facts.page));
  sheets.block(HEAD_PT, (place) => head(facts, texts, place));
  const [first, ...others] = facts.signers.map((signer, nth) => ({
    height: signerCardHeight(signer),
    draw: (place: Place) => signerCard(signer, nth + 1, texts, place),
  }));
  titled(sheets, texts.signers(facts.signers.length), first?.height ?? 0, (place) => first?.draw(place) ?? []);
  for (const { height, draw } of others) sheets.block(height, draw);
  titled(sheets, texts.chain.title, CHAIN_PT, (place) => chain(facts, texts, place));
  titled(sheets, texts.offline.title, OFFLINE_PT, (place) => offline(facts, texts, place));
  return sheets.finished(`${texts.title} · ${facts.envelopeId}`, texts.page);
}

/** A4 for a document in the proportions of its family, else Letter: what Colombia prints on, as it does on Legal. */
function paperOf({ width, height }: { width: number; height: number }) {
  const proportion = Math.max(width, height) / Math.min(width, height);
  return Math.abs(proportion - Math.SQRT2) < 0.02 ? A4 : LETTER;
}

const HEADING_PT = 24;

/** A heading that stays with its first block. */
function titled(sheets: Sheets, title: string, height: number, draw: (place: Place) => Drawing[]): void {
  sheets.block(HEADING_PT + height, (place) => [
    text(title, place, HEADING),
    panel({ ...place, top: place.top - 17 }, 0.75, LINE),
    ...draw({ ...place, top: place.top - HEADING_PT }),
  ]);
}

const HEAD_PT = 206;

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
  return labelled(rows, place);
}

const byBothClocks = (at: Date) => `${inUtc(at)} UTC  ·  ${inBogota(at)} Bogotá (${BOGOTA})`;

const CHAIN_PT = 60;

function chain({ head: { seq, hash } }: CompletionFacts, { chain: words }: CompletionTexts, place: Place): Drawing[] {
  const box = { ...place, top: place.top - heightOf(PARAGRAPH) - 6 };
  const inner = { ...box, left: box.left + 10, width: box.width - 20 };
  return [
    text(words.about, place, PARAGRAPH),
    panel(box, 30, PANEL),
    text(words.head(seq), { ...inner, top: box.top - 5 }, LABEL),
    text(hash, { ...inner, top: box.top - 16 }, DIGEST),
  ];
}

const OFFLINE_PT = 150;

function offline({ key }: CompletionFacts, { offline: words, files }: CompletionTexts, place: Place): Drawing[] {
  const commands = { ...place, top: place.top - heightOf(PARAGRAPH) - 6 };
  const inner = { ...commands, left: commands.left + 10, width: commands.width - 20 };
  const lines: [string, Written][] = [
    [words.embedded, LABEL],
    [`pdfsig ${files.document}`, COMMAND],
    [words.detached, LABEL],
    [`xxd -r -p ${files.signature}.hex > ${files.signature}.bin`, COMMAND],
    [`openssl dgst -sha256 -verify ${files.key} -signature ${files.signature}.bin ${files.document}`, COMMAND],
  ];
  const keys = { ...place, top: commands.top - lines.length * ROW_PT - 16 };
  return [
    text(words.about, place, PARAGRAPH),
    panel(commands, lines.length * ROW_PT + 8, PANEL),
    ...lines.map(([line, written], nth) =>
      text(line, { ...inner, top: commands.top - 4 - nth * ROW_PT }, written, ROW_PT),
    ),
    ...labelled(
      [
        [words.key, key.url, { ...VALUE, size: 8 }],
        [words.fingerprint, key.fingerprint, DIGEST],
      ],
      keys,
      130,
    ),
  ];
}

function labelled(rows: readonly [string, string, Written][], place: Place, labelWidth = LABEL_PT): Drawing[] {
  return rows.flatMap(([label, value, written], nth) => {
    const top = place.top - nth * ROW_PT;
    return [
      text(label, { ...place, top, width: labelWidth - 4 }, LABEL, ROW_PT),
      text(value, { left: place.left + labelWidth, top, width: place.width - labelWidth }, written, ROW_PT),
    ];
  });
}
