/** How lists name the documents that this service knows by a code. First match wins. */
const TYPES: [form: RegExp, type: string, country?: string][] = [
  [/c[ée]dula de extranjer[íi]a|^CE$/i, 'CE', 'CO'],
  [/tarjeta de identidad|^TI$/i, 'TI', 'CO'],
  [/permiso (por|de) protecci[óo]n temporal|^PPT$/i, 'PPT', 'CO'],
  [/^c[ée]dula( no\.?| de ciudadan[íi]a)?$|^CC$/i, 'CC', 'CO'],
  [/^nit\b|n[úu]mero de identificaci[óo]n tributaria/i, 'NIT', 'CO'],
  [/passport|pasaporte|passeport|^PA$/i, 'PA'],
];

/**
 * CC, CE, TI, PA, PPT or NIT where the source's kind of document is one of them, else its own word. The Colombian ones only
 * for Colombia, or where the source names no country: a cédula of Venezuela is no CC.
 */
export function identifierType(word: string, country?: string): string {
  const clean = word.replace(/\s+/g, ' ').trim();
  const known = TYPES.find(([form, , only]) => form.test(clean) && (!only || !country || country === only));
  return known ? known[1] : clean.replace(/[\s:]+$/, '') || 'ID';
}
