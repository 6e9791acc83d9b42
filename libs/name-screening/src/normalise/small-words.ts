const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Words that join a name and hardly tell two apart. */
export const PARTICLES = words(`
  de del la las lo los le les el y e i o da do dos das di du des d van von der den dem ter ten zu zur af av
  bin ibn ben bint binti al ul ud ur ar as ash ad an at az us uz vda viuda abu abou umm of the and for und et in on to a
`);

/** The same in names of organizations: "named after". */
export const ORGANISATION_PARTICLES = words('im imeni named after');

/** Forms of address and of descent: words that weigh little. */
export const TITLES = words(`
  mr mrs ms miss dr doctor prof professor sir don dona senor senora sr sra sres jr junior hijo eng engr ing ingeniero lic gen general
  col colonel coronel capt captain maj major lt sheikh shaykh sheik shaikh cheikh haj haji hajji hajj hadji alhaji mullah mulla maulavi mawlawi
  maulvi mawlana maulana molla sayyid sayed seyed seyyed ayatollah hojjatoleslam ii iii iv
`);

/** Written-out and ordinal numbers, as digits: only in names of organizations and ships, where "Second Bank" is not "First Bank". */
const NUMBERS: Record<string, string> = {
  '1': 'one first 1st uno una primero primera primer 1ra 1ro 1er pervyi pervyy un premiere i',
  '2': 'two second 2nd dos segundo segunda 2da 2do vtoroi vtoroy deux deuxieme ii',
  '3': 'three third 3rd tres tercero tercera tercer 3ra 3ro tretii tretiy trois iii',
  '4': 'four fourth 4th cuatro cuarto cuarta 4ta quatre iv',
  '5': 'five fifth 5th cinco quinto quinta 5ta cinq',
  '6': 'six sixth 6th seis sexto sexta vi',
  '7': 'seven seventh 7th siete septimo septima sept vii',
  '8': 'eight eighth 8th ocho octavo octava huit viii',
  '9': 'nine ninth 9th nueve noveno novena neuf ix',
  '10': 'ten tenth 10th diez decimo decima dix',
  '11': 'eleven eleventh 11th once undecimo xi',
  '12': 'twelve twelfth 12th doce duodecimo xii',
  '13': 'thirteen thirteenth trece xiii',
  '14': 'fourteen fourteenth catorce xiv',
  '15': 'fifteen fifteenth quince xv',
  '16': 'sixteen sixteenth xvi',
  '17': 'seventeen seventeenth xvii',
  '18': 'eighteen eighteenth xviii',
  '19': 'nineteen nineteenth xix',
  '20': 'twenty twentieth veinte xx',
  '21': 'xxi',
  '30': 'thirty thirtieth treinta',
  '40': 'forty fortieth cuarenta',
  '50': 'fifty fiftieth cincuenta',
  '100': 'hundred hundredth cien',
  '1000': 'thousand mil',
};
const digitsOf = new Map(
  Object.entries(NUMBERS).flatMap(([digits, spelled]) => spelled.split(' ').map((word) => [word, digits] as const)),
);

/** "7th", "first", "xii", "007" → "7", "1", "12", "7"; anything else as it is. */
export function foldNumber(word: string): string {
  const ordinal = /^(\d+)(?:st|nd|rd|th|ra|ro|da|do|ta|er|eme|o|a)?$/.exec(word);
  if (ordinal) return (ordinal[1] as string).replace(/^0+(?=\d)/, '');
  return digitsOf.get(word) ?? word;
}

/** Short forms of words in names of organizations, and their spellings in other languages of the lists. */
const SHORT: Record<string, string> = {
  international: 'intl int internacional internationale mezhdunarodnyi internazionale',
  brothers: 'bros hermanos',
  manufacturing: 'mfg manuf manufacturas',
  industry: 'ind inds industries industrial industria industrias industrie promyshlennyi industrials',
  national: 'natl nat nacional nationale natsionalnyi',
  government: 'govt gov gobierno',
  department: 'dept departamento',
  ministry: 'min ministerio ministere ministerstvo',
  university: 'univ universidad universite universitet',
  group: 'grp grupo groupe gruppa gruppe gruppo groups',
  bank: 'bk banco banque banca banka',
  enterprise: 'ent enterprises empresa empresas entreprise entreprises predpriyatie',
  engineering: 'engg engineers ingenieria inzhiniring',
  technology: 'tech techs technologies tecnologia tecnologias tekhnologii technologie tekhnologiya',
  trading: 'trdg trade traders comercio comercial comercializadora torgovyi commercial commerce',
  shipping: 'shpg naviera navigation navegacion maritime maritima',
  services: 'svcs service servicios servicio svc servis',
  investment: 'invt investments inversiones inversion investissement investissements investitsii inversora',
  import: 'imports importaciones importing importer importadora impex',
  export: 'exports exportaciones exporting exporter exportadora',
  general: 'gral gen generale generalnyi',
  construction: 'constr construcciones construccion constructora constructions stroitelnyi',
  transport: 'transp transportation transportes transporte transports transporting',
  association: 'assn assoc asociacion associates associated assotsiatsiya',
  organization: 'org organisation organizacion organizatsiya organizations organisations',
  foundation: 'fdn fundacion fond fondation fund',
  center: 'centre centro tsentr ctr',
  factory: 'fabrica zavod plant works usine fabrik',
  institute: 'inst instituto institut',
  holding: 'holdings hldg hldgs holdingi',
  system: 'systems sistemas sistema sistemy systemes',
  product: 'products productos prods produits produkt',
  petroleum: 'petroleo petroleos petrol petrole',
  research: 'recherche investigacion investigaciones issledovatelskyi',
  agency: 'agencia agence agentstvo agencies',
  concern: 'kontsern konzern',
  bureau: 'byuro buro',
  design: 'konstruktorskyi',
  scientific: 'nauchno nauchnyi',
  russian: 'rossiyskyi rossiiskyi russkyi',
  central: 'tsentralnyi',
  state: 'gosudarstvennyi',
  federal: 'federalnyi',
  security: 'bezopasnosti',
  school: 'shkola',
  committee: 'komitet',
};
const longOf = new Map(
  Object.entries(SHORT).flatMap(([long, spellings]) => spellings.split(' ').map((short) => [short, long] as const)),
);

/** How adjectives end in Russian, Ukrainian and Belarusian, by gender and romanisation: "-yi", "-iy", "-oi", "-aya", "-oe", "-aye". */
const ADJECTIVE_END = /(?:[iy][iyj]?|o[iyj]|[ao][iyj]?[ae]|yj?a)$/;
/** Shorter ones are names before they are adjectives. */
const STEM = 5;
const adjectives = new Map(
  [...longOf].flatMap(([word, long]) =>
    word.endsWith('yi') ? [[word.replace(ADJECTIVE_END, ''), long] as const] : [],
  ),
);

/** "intl" → "international", "natsionalnaya" → "national"; anything else as it is. Never a number, never a person's name. */
export function foldOrganisationWord(word: string): string {
  const long = longOf.get(word);
  if (long !== undefined || word.length <= STEM) return long ?? word;
  return adjectives.get(word.replace(ADJECTIVE_END, '')) ?? word;
}

/** Words that are the second part of a compound, longest first; shorter ones are endings of many words. */
const HEAD_LETTERS = 5;
const REST_LETTERS = 3;
const heads = [...longOf.keys()].filter(({ length }) => length >= HEAD_LETTERS).sort((a, b) => b.length - a.length);
const HEAD = new RegExp(`(?:${heads.join('|')})$`);

/** Whether a compound that ends with this word, or with a part of it, may have a second part that foldHead writes in another way. */
export const mayEndInHead = (word: string): boolean => heads.some((head) => head.endsWith(word) || word.endsWith(head));

/** A compound with its second part as that is written when it stands alone: "radioplant" and "radiozavod" → "radiofactory". */
export function foldHead(word: string): string {
  if (word.length < HEAD_LETTERS + REST_LETTERS) return word;
  const at = word.search(HEAD);
  return at < REST_LETTERS ? word : word.slice(0, at) + (longOf.get(word.slice(at)) as string);
}
