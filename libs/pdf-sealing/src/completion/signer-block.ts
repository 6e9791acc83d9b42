import { roleTitle } from '@constancia/kernel';
import type { Drawing } from '../drawing.ts';
import { BOGOTA, inBogota, inUtc } from '../times.ts';
import type { Authentication, CompletedSigner, VerifiedIdentity } from './facts.ts';
import { ACCENT, GREY, labelled, LINE, PANEL, panel, text, WHITE } from './sheets.ts';
import type { Block, Place, Table, Written } from './sheets.ts';
import { softwareOf } from './software.ts';
import type { CompletionTexts } from './texts.ts';

/** Four cards fill a page of Letter. */
const PAD_PT = 9;
const BAR_PT = 3;
const NAME: Written = { size: 11.5, face: 'bold', lines: 2 };
const CONTACT: Written = { size: 8.5, colour: GREY };
const SIGNATURE = { width: 150, height: 34, caption: { size: 6, colour: GREY, align: 'centre' } satisfies Written };
const HEADING: Written = { size: 6.5, colour: GREY };
const VALUE: Written = { size: 8 };
const TICKED: Written = { ...VALUE, lines: 2 };
const TIME: Written = { size: 7.5, face: 'fixed' };
const DIGEST: Written = { size: 7, face: 'fixed' };
const ROW_PT = 10.6;
const HEAD_PT = 48;
/** Of the table: what happened, when by two clocks, and how. */
const COLUMNS = { label: 130, time: 96 };
/** Characters of an address that fit a row. */
const MOST_ORIGIN = 60;
const PROOF_TABLE: Table = { labelWidth: COLUMNS.label, rowHeight: ROW_PT, label: { size: 7.5, colour: GREY } };
const PROOFS = 4;
/** Rows of a verified identity. */
const IDENTITY_ROWS = 2;
/** Rows of ticked boxes: a card has to fit on a page. */
const MOST_TICKED = 12;

interface Step {
  label: string;
  at: Date;
  detail: string;
}

/** Of the whole card. */
function heightOfCard(signer: CompletedSigner): number {
  return (
    HEAD_PT +
    (1 + stepCount(signer) + proofCount(signer) + IDENTITY_ROWS * identitiesOf(signer).length) * ROW_PT +
    tickedHeight(signer) +
    2 * PAD_PT -
    4
  );
}

const stepCount = ({ authentications, documentShownAt }: CompletedSigner) =>
  3 + authentications.length + (documentShownAt ? 1 : 0);

const proofCount = ({ frameOrigin }: CompletedSigner) => PROOFS + (frameOrigin === null ? 0 : 1);

/** The verified identities that the trail states. */
const identitiesOf = ({ authentications }: CompletedSigner): VerifiedIdentity[] =>
  authentications.flatMap((one: Authentication) => ('verified' in one && one.verified ? [one.verified] : []));

/** A label that does not fit on one line stands on two; all rows are as high as the highest. */
const tickedRow = ({ ticked }: CompletedSigner) => (ticked.some(({ length }) => length > 80) ? 1.8 : 1) * ROW_PT;
const tickedHeight = (signer: CompletedSigner) => Math.min(signer.ticked.length, MOST_TICKED) * tickedRow(signer);

/** Who signed, with what signature, each step by the clock, and the digests that tie it to the document. */
export function signerBlock(signer: CompletedSigner, number: number, texts: CompletionTexts): Block {
  return { height: heightOfCard(signer), draw: (place) => card(signer, number, texts, place) };
}

function card(signer: CompletedSigner, number: number, texts: CompletionTexts, place: Place): Drawing[] {
  const inner = { left: place.left + PAD_PT, top: place.top - PAD_PT, width: place.width - 2 * PAD_PT };
  const table = { ...inner, top: inner.top - HEAD_PT };
  const proofs = { ...table, top: table.top - (1 + stepCount(signer)) * ROW_PT - 3 };
  return [
    panel(place, heightOfCard(signer), PANEL),
    panel({ ...place, width: BAR_PT }, heightOfCard(signer), ACCENT),
    ...person(signer, number, texts, { ...inner, width: inner.width - SIGNATURE.width - PAD_PT }),
    ...adopted(signer, texts, { ...inner, left: inner.left + inner.width - SIGNATURE.width, width: SIGNATURE.width }),
    ...stepRows(stepsOf(signer, texts), texts, table),
    panel({ ...proofs, top: proofs.top + 1.5 }, 0.5, LINE),
    ...proofRows(signer, texts, proofs),
  ];
}

function person(signer: CompletedSigner, number: number, texts: CompletionTexts, place: Place): Drawing[] {
  const contact = { ...place, top: place.top - 24 };
  return [
    text(`${number}. ${signer.name}`, place, NAME, 24),
    text(signer.email, contact, CONTACT),
    text(`${texts.role}: ${roleTitle(signer.role)}`, { ...contact, top: contact.top - 11 }, CONTACT),
  ];
}

/** The signature as it stands on the document. */
function adopted({ signature }: CompletedSigner, texts: CompletionTexts, place: Place): Drawing[] {
  const { width, height, caption } = SIGNATURE;
  const box = {
    key: 'certificate',
    x: place.left + 4,
    y: place.top - height + 2,
    width: width - 8,
    height: height - 4,
  };
  const drawn: Drawing =
    signature.type === 'drawn'
      ? { kind: 'image', ...box, bytes: signature.image }
      : { kind: 'text_box', ...box, text: signature.text, size: 22, face: 'signature', align: 'centre', colour: ACCENT, lenient: true }; // prettier-ignore
  return [
    panel(place, height, WHITE),
    drawn,
    panel({ ...place, top: place.top - height }, 0.5, GREY),
    text(texts.adopted, { ...place, top: place.top - height - 3 }, caption),
  ];
}

function stepsOf(signer: CompletedSigner, texts: CompletionTexts): Step[] {
  const { steps, method, outcome } = texts;
  const { consent, signature } = signer;
  const opened = { label: steps.opened, at: signer.linkOpenedAt, detail: '' };
  const shown = signer.documentShownAt ? [{ label: steps.shown, at: signer.documentShownAt, detail: '' }] : [];
  const consented = { label: steps.consented, at: consent.at, detail: texts.consent(consent.version, consent.locale) };
  const authenticated = signer.authentications.map((one) => ({
    label: steps.authenticated,
    at: one.at,
    detail:
      'failures' in one
        ? `${method[one.method]}${'to' in one && one.to !== null ? texts.toPhone(one.to) : ''}: ${outcome(one.failures)}`
        : one.verified && 'level' in one.verified.how
          ? texts.identity.kept
          : method[one.method],
  }));
  const detail = signature.type === 'typed' ? texts.typed : texts.drawn;
  const before = [opened, consented, ...authenticated, ...shown].sort((a, b) => a.at.getTime() - b.at.getTime());
  return [...before, { label: steps.signed, at: signer.signedAt, detail }];
}

function stepRows(steps: readonly Step[], texts: CompletionTexts, place: Place): Drawing[] {
  const { label, time } = COLUMNS;
  const widths = [label, time, time, place.width - label - 2 * time];
  const row = (nth: number, cells: readonly string[], written: readonly Written[]) => {
    let left = place.left;
    return cells.map((cell, column) => {
      const at = { left, top: place.top - nth * ROW_PT, width: (widths[column] as number) - 4 };
      left += widths[column] as number;
      return text(cell, at, written[column] as Written, ROW_PT);
    });
  };
  return [
    ...row(0, [texts.event, 'UTC', `Bogotá (${BOGOTA})`, texts.detail], [HEADING, HEADING, HEADING, HEADING]),
    panel({ ...place, top: place.top - ROW_PT }, 0.5, LINE),
    ...steps.flatMap(({ label: step, at, detail }, nth) =>
      row(nth + 1, [step, inUtc(at), inBogota(at), detail], [VALUE, TIME, TIME, VALUE]),
    ),
  ];
}

/** Of a long address its end, which says whose it is. */
const endOf = (origin: string) => (origin.length <= MOST_ORIGIN ? origin : `…${origin.slice(1 - MOST_ORIGIN)}`);

function proofRows(signer: CompletedSigner, texts: CompletionTexts, place: Place): Drawing[] {
  const { proof, unknown, identity } = texts;
  const { ip, userAgent, frameOrigin } = signer;
  const connection = [ip ?? unknown, userAgent && softwareOf(userAgent)].filter(Boolean).join(' · ');
  const identities = identitiesOf(signer).flatMap((verified): [string, string, Written][] => [
    [identity.title, identity.checked(verified), VALUE],
    [identity.record, identity.recorded(verified), VALUE],
  ]);
  const rows: [string, string, Written][] = [
    ...identities,
    [proof.connection, connection, VALUE],
    ...(frameOrigin === null ? [] : [[proof.frame, endOf(frameOrigin), VALUE] satisfies [string, string, Written]]),
    [proof.consent, signer.consent.sha256, DIGEST],
    [proof.shown, signer.documentShownSha256, DIGEST],
    [proof.signature, signer.signatureSha256, DIGEST],
  ];
  const ticks = tickedLabels(signer, texts).map((label): [string, string, Written] => [texts.ticked, label, TICKED]);
  return [
    ...labelled(ticks, place, { ...PROOF_TABLE, rowHeight: tickedRow(signer) }),
    ...labelled(rows, { ...place, top: place.top - tickedHeight(signer) }, PROOF_TABLE),
  ];
}

/** One row each; the last one says how many more there are. */
function tickedLabels({ ticked }: CompletedSigner, { moreTicked }: CompletionTexts): readonly string[] {
  if (ticked.length <= MOST_TICKED) return ticked;
  return [...ticked.slice(0, MOST_TICKED - 1), moreTicked(ticked.length - MOST_TICKED + 1)];
}
