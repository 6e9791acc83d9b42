import { RecentMap } from '../recent-map.ts';
import { romanFold } from './sound-keys.ts';

/**
 * Organization forms, by the class they fold to; words as tokenise writes them, those of Slavic languages in any romanisation and
 * declension (see formWord). Names and abbreviations are those of ISO 20275 (Entity Legal Forms). A form says nothing about who is
 * meant: "EMMA LLC" and "CORP LLC" have nothing in common.
 */
const FORMS: Record<string, string> = {
  llc: `llc|l l c|limited liability company|limited liability partnership|llp|lllp|ooo|too|tov|tzov|obshchestvo s ogranichennoi otvetstvennostyu|
    tovarystvo z obmezhenoyu vidpovidalnistyu|tovarishchestvo s ogranichennoi otvetstvennostyu|tavarystva z abmezhavanay adkaznastsyu|
    druzhestvo s ogranichena otgovornost|drustvo sa ogranicenom odgovornoscu|drustvo s ogranicenom odgovornoscu|
    gmbh|gesellschaft mit beschrankter haftung|srl|s r l|societa a responsabilita limitata|sociedad de responsabilidad limitada|
    sarl|societe a responsabilite limitee|ltda|limitada|ltd|limited|ltd co|co ltd|company limited|private limited|pvt ltd|pvt|pty|pty ltd|pte|pte ltd|
    bv|bvba|besloten vennootschap|sl|slu|s l|sociedad limitada|doo|d o o|ood|eood|kft|sp z oo|sp zoo|spzoo|sp z o o|zoo|sia|uab|osauhing|ou|
    wll|w l l|sdn bhd|mchj|mmc|msp|lda|sro|s r o|s de rl de cv|s de r l de c v|s de rl|s de r l|srl de cv|spr de rl de cv|spr de rl|s de pr de rl de cv|s de pr de rl|s p r de r l|dmcc|fze|fzco|fzc|fz llc|fzllc|fz co|fze llc|free zone company|free zone establishment`,
  jsc: `jsc|j s c|ojsc|cjsc|pjsc|ojs|pjs|joint stock company|open joint stock company|closed joint stock company|public joint stock company|private joint stock company|joint stock|
    oao|zao|pao|ao|nao|pat|prat|vat|at|otkrytoe aktsionernoe obshchestvo|zakrytoe aktsionernoe obshchestvo|publichnoe aktsionernoe obshchestvo|nepublichnoe aktsionernoe obshchestvo|aktsionernoe obshchestvo|aktsionerne tovarystvo|
    publichne aktsionerne tovarystvo|pryvatne aktsionerne tovarystvo|aktsionerno druzhestvo|akcionarsko drustvo|aktsyyanernaye tavarystva|adkrytaye aktsyyanernaye tavarystva|zakrytaye aktsyyanernaye tavarystva|
    sa|s a|sociedad anonima|societe anonyme|sociedade anonima|societa per azioni|spa|s p a|ag|aktiengesellschaft|nv|naamloze vennootschap|
    ab|aktiebolag|asa|aps|a s|anonim sirketi|anonim sirket|aktsiaselts|plc|p l c|public limited company|public company limited|pcl|tbk|psc|pjsc|saog|saoc|sal|
    s a e|sae|kk|kabushiki kaisha|kabushikigaisha|yugen kaisha|zrt|nyrt|ead|ad|a d|d d|sab de cv|sa de cv|s a de c v|s a b de c v|sapi de cv|qsc|ksc|ksck|bsc|bscc`,
  sas: `sas|s a s|sociedad por acciones simplificada|societe par actions simplifiee|sasu|sas esp|sa esp|spa esp|esp|e s p|sas bic|bic`,
  partnership: `lp|l p|limited partnership|kg|kommanditgesellschaft|gmbh co kg|gmbh and co kg|ohg|kgaa|scs|sca|s en c|s en cs|s en c s|senc|sencs|scsa|s c a|sociedad en comandita|sociedad en comandita simple|
    sociedad colectiva|en comandita|snc|s n c|y cia|y compania|e hijos|y cia ltda|cia ltda|y cia s en c|y cia s en cs|y cia sca|cia sca|cv|c v|firma`,
  corporation: `corp|corporation|inc|incorporated|incorporation|co|company|cos|companies|companias|companhias|compania|companhia|compagnie|cia|compania anonima|ca|c a|coy|cie|gongsi|kompaniya|kompania|corporacion|korporatsiya|korporacija|llc corp|
    co llc|co inc|and co|sirketi|sharikat|sherkat|sherkate|sharika|srika`,
  establishment: `est|establishment|empresa unipersonal|eu|e u|eirl|empresa individual de responsabilidad limitada|unipersonal|ip|individual entrepreneur|individualnyi predprinimatel|fgup|gup|mup|sole proprietorship|
    federal state unitary enterprise|state unitary enterprise|unitary enterprise|republican unitary enterprise|fsue|rue|federalnoe gosudarstvennoe unitarnoe predpriyatie|anstalt|stiftung|ev|e v`,
};

/** Of the originals in Chinese, Japanese and Korean script. */
export const HAN_FORMS =
  /股份有限公司|有限责任公司|有限責任公司|有限公司|株式会社|有限会社|集团公司|公司|주식회사|유한회사/gu;

const LONGEST = 7;
/** Shorter words are spelled and declined in one way, or are abbreviations. */
const DECLINED_LENGTH = 8;
/** What is declined in Russian, Ukrainian and Belarusian, in the spelling of romanFold: "-oe", "-oy", "-aya", "-ogo", "-iu". */
const ENDING = /(?:ogo|[aeiou]+)$/;
const folded = new RecentMap<string, string>(5_000);

/**
 * A word of a form in one romanisation and without its ending: "aktsionernoe", "aktsionernoye" and "aktsionernogo" are one, as are
 * "obshchestvo" and "obschestva". Short words stay.
 */
export function formWord(word: string): string {
  if (word.length < DECLINED_LENGTH) return word;
  const known = folded.get(word);
  if (known !== undefined) return known;
  const fold = romanFold(word).replace(ENDING, '');
  folded.set(word, fold);
  return fold;
}

const byWords = new Map<string, string>();
for (const [form, spellings] of Object.entries(FORMS))
  for (const spelling of spellings.split('|')) byWords.set(spelling.trim().split(/\s+/).map(formWord).join(' '), form);
/** Words that a form begins with, and of how many words the longest of these is. */
const longest = new Map<string, number>();
for (const spelling of byWords.keys()) {
  const words = spelling.split(' ');
  const first = words[0] as string;
  longest.set(first, Math.max(longest.get(first) ?? 0, Math.min(LONGEST, words.length)));
}

/** Whether a form begins with this word, as formWord writes it. */
export const mayBeginForm = (word: string): boolean => longest.has(word);

/** How many of the words (each as formWord writes it) from `start` on are one form, the longest that fits, and its class; null if none. */
export function formAt(words: readonly string[], start: number): { length: number; form: string } | null {
  const most = longest.get(words[start] ?? '') ?? 0;
  for (let length = Math.min(most, words.length - start); length > 0; length--) {
    const form = byWords.get(words.slice(start, start + length).join(' '));
    if (form !== undefined) return { length, form };
  }
  return null;
}
