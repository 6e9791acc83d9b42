/**
 * Words of names in Arabic script, as they are spelled in Latin letters: without them a name of three common words is nothing but
 * consonants. Arabic, Persian and Urdu spellings; written with the letters that `plain` leaves.
 */
const NAMES = `
  muhammad=محمد ahmad=احمد ali=علي hassan=حسن hussein=حسين mahmud=محمود hamid=حميد,حامد abd=عبد allah=الله abdullah=عبدالله
  ibrahim=ابراهيم ismail=اسماعيل yusuf=يوسف yaqub=يعقوب ishaq=اسحاق musa=موسي isa=عيسي dawud=داود,داوود sulayman=سليمان yahya=يحيي
  khalid=خالد walid=وليد said=سعيد saad=سعد sayyid=سيد,السيد salim=سالم,سليم salih=صالح samir=سمير saleh=صلاح
  omar=عمر othman=عثمان abu=ابو,ابي bakr=بكر hamza=حمزه jafar=جعفر jalal=جلال jamal=جمال kamal=كمال jamil=جميل karim=كريم
  rahman=رحمن,رحمان rahim=رحيم aziz=عزيز qadir=قادر latif=لطيف majid=مجيد,ماجد hakim=حكيم hafiz=حافظ haqqani=حقاني haji=حاجي,حاج
  mustafa=مصطفي murtaza=مرتضي reza=رضا mahdi=مهدي hadi=هادي hashim=هاشم qasim=قاسم kazim=كاظم nasir=ناصر,نصير nasr=نصر nur=نور
  din=دين,الدين taha=طه tariq=طارق talib=طالب tahir=طاهر zayd=زيد zahir=ظاهر,زاهر zakariya=زكريا bashir=بشير bilal=بلال
  faisal=فيصل farid=فريد faruq=فاروق fahd=فهد fadl=فضل faiz=فيض,فايز ghani=غني ghulam=غلام gul=گل habib=حبيب haydar=حيدر
  imad=عماد izzat=عزت jabar=جبار,جابر khan=خان khalil=خليل luqman=لقمان maher=ماهر malik=مالك mansur=منصور marwan=مروان
  masud=مسعود mubarak=مبارك munir=منير murad=مراد mullah=ملا maulawi=مولوي nabil=نبيل nadir=نادر naji=ناجي najib=نجيب
  rashid=راشد,رشيد raad=رعد riyad=رياض sabir=صابر sadiq=صادق,صديق saddam=صدام saif=سيف shah=شاه shakir=شاكر sharif=شريف
  tawfiq=توفيق wahid=وحيد,واحد wali=ولي yasin=ياسين,يسين yasir=ياسر zayn=زين adil=عادل adnan=عدنان amin=امين amir=امير,عامر
  anwar=انور asad=اسد,اسعد ayman=ايمن ayub=ايوب badr=بدر anas=انس akbar=اكبر akram=اكرم alam=عالم arif=عارف basim=باسم
  baqir=باقر bin=بن,ابن fathi=فتحي fatah=فتاح javad=جواد mehrdad=مهرداد mohsen=محسن hamad=حمد
  hatim=حاتم hilal=هلال husam=حسام ihsan=احسان iqbal=اقبال jan=جان,جن mir=مير mirza=ميرزا muin=معين mukhtar=مختار
  parviz=پرويز qais=قيس quddus=قدوس rafiq=رفيق sami=سامي,سميع shams=شمس siraj=سراج wasim=وسيم zia=ضيا,ضياء
  maryam=مريم fatima=فاطمه aisha=عايشه zaynab=زينب khadija=خديجه baghdadi=بغدادي tikriti=تكريتي masri=مصري iraqi=عراقي
`;

const byArabic = new Map<string, string>();
for (const group of NAMES.trim().split(/\s+/)) {
  const [latin = '', spellings = ''] = group.split('=');
  for (const spelling of spellings.split(',')) if (!byArabic.has(plain(spelling))) byArabic.set(plain(spelling), latin);
}

const WORD = /[\p{Script=Arabic}\p{M}]+/gu;
/** "عبدالرحمن": servant of one of the names of God, written as one word. */
const SERVANT = /^عبد(?=ال(?!له$)\p{L}{3})/u;
/** The article, which is a word of its own in Latin letters. */
const ARTICLE = /^ال(?=\p{L}{3})/u;

/** Letters of Persian, Pashto and Urdu alone; these read some letters of Arabic otherwise. */
const PERSIAN = /[یکپچژگ]/;
const PERSIAN_READING: Record<string, string> = { ض: 'ز', ذ: 'ز', ظ: 'ز', ث: 'س', ص: 'س' };

/** Known words of Arabic script in Latin letters, and the article apart; the other words stay for any-ascii. */
export function romanisedArabic(text: string): string {
  const letters = PERSIAN.test(text) ? PERSIAN_READING : { ظ: 'ز' };
  const other = (word: string) => word.replaceAll(/[ضذظثص]/g, (letter) => letters[letter as 'ظ'] ?? letter);
  return text
    .replaceAll(WORD, (written) =>
      plain(written)
        .replace(SERVANT, 'عبد ')
        .split(' ')
        .map((word) => {
          const known = knownWords(word);
          if (known !== undefined) return known;
          const bare = word.replace(ARTICLE, '');
          return bare === word ? other(word) : `al-${knownWords(bare) ?? other(bare)}`;
        })
        .join(' '),
    )
    .replaceAll(/(?<=[^\s-]) allah\b/g, 'ullah');
}

/** "محمدرضا" is two of them. */
function knownWords(word: string): string | undefined {
  const whole = byArabic.get(word);
  if (whole !== undefined || word.length < TWO_WORDS) return whole;
  for (let at = 3; at <= word.length - 3; at++) {
    const [first, second] = [byArabic.get(word.slice(0, at)), byArabic.get(word.slice(at))];
    if (first !== undefined && second !== undefined) return `${first} ${second}`;
  }
  return undefined;
}
const TWO_WORDS = 6;

/** One letter for those that are written for one another; without vowel signs. */
function plain(word: string): string {
  return word
    .normalize('NFKC')
    .replaceAll(/[\p{M}ـ]/gu, '')
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll(/[ىیئ]/g, 'ي')
    .replaceAll('ک', 'ك')
    .replaceAll(/[ةۀھہە]/g, 'ه')
    .replaceAll('ؤ', 'و');
}
