import { PROBLEMS, type ProblemSlug } from '@constancia/contracts';

/** What a page about a problem says. */
export interface ProblemText {
  title: string;
  help: string;
}

/** The Spanish of PROBLEMS; a slug that is missing here does not compile. */
const SPANISH: Record<ProblemSlug, ProblemText> = {
  'validation-error': {
    title: 'La solicitud no es válida',
    help: 'Corrija cada elemento de errors y envíela de nuevo.',
  },
  'bad-request': { title: 'La solicitud no se puede leer', help: 'Corrija lo que indica detail y envíela de nuevo.' },
  'validation-not-draft': {
    title: 'Solo se puede cambiar una validación en borrador',
    help: 'Clone la validación, cambie el borrador y publíquelo.',
  },
  unauthorized: {
    title: 'La credencial no es válida aquí',
    help: 'Presente una credencial que esta operación acepte.',
  },
  'invalid-api-key': {
    title: 'La llave de API falta o no es correcta',
    help: 'Envíe la llave del tenant en X-API-Key; una llave perdida se reemplaza mediante rotación.',
  },
  'insufficient-acai': {
    title: 'El saldo de créditos no alcanza',
    help: 'Recargue el saldo y envíe de nuevo la misma solicitud.',
  },
  forbidden: {
    title: 'La credencial no permite esto',
    help: 'Use una credencial que tenga el permiso que indica detail.',
  },
  'tenant-suspended': {
    title: 'El tenant está suspendido',
    help: 'No se cambió ni se cobró nada. Un propietario del tenant puede escribir a Constancia.',
  },
  'tenant-closing': {
    title: 'El tenant se está cerrando',
    help: 'No se cambió ni se cobró nada. Un propietario puede reconsiderarlo con DELETE /tenants/{id}/closing hasta closes_at.',
  },
  'not-found': { title: 'El recurso no existe', help: 'Revise la ruta y el identificador.' },
  'method-not-allowed': {
    title: 'Esta ruta no tiene ese método',
    help: 'Use uno de los métodos del encabezado Allow.',
  },
  conflict: {
    title: 'La solicitud choca con otra en curso',
    help: 'Espere los segundos de Retry-After y envíe de nuevo la misma solicitud.',
  },
  'state-conflict': {
    title: 'El estado del recurso no permite esta operación',
    help: 'Consulte el recurso y actúe según su estado actual.',
  },
  'duplicate-key': { title: 'Este valor ya está en uso', help: 'Elija otro valor.' },
  'payload-too-large': {
    title: 'El cuerpo es demasiado grande',
    help: 'Envíe un cuerpo dentro del límite que indica detail.',
  },
  'unsupported-media-type': {
    title: 'Este tipo de contenido no se acepta',
    help: 'Envíe el tipo de contenido que indica detail.',
  },
  'unprocessable-entity': {
    title: 'La solicitud se entendió, pero no se puede ejecutar',
    help: 'Siga lo que indica detail.',
  },
  'kyc-rejected': { title: 'El titular fue rechazado', help: 'Consulte rejection_reason.' },
  'rate-limit-exceeded': { title: 'Demasiadas solicitudes', help: 'Espere hasta X-RateLimit-Reset.' },
  'read-budget-exceeded': {
    title: 'Las lecturas ocuparon demasiado tiempo del almacén de datos',
    help: 'Espere los segundos que indica Retry-After. Pida menos: un período más corto, un filtro más preciso, menos lecturas a la vez.',
  },
  'internal-error': {
    title: 'Algo falló de nuestro lado',
    help: 'Inténtelo de nuevo; si persiste, indíquenos el request_id.',
  },
  'database-unavailable': {
    title: 'No hay conexión con el almacén de datos',
    help: 'Inténtelo de nuevo con espera exponencial.',
  },
  'database-timeout': {
    title: 'El almacén de datos no terminó a tiempo',
    help: 'Pida menos, por ejemplo un período más corto o un filtro más preciso, o inténtelo de nuevo después de los segundos que indica Retry-After.',
  },
  'payment-provider-unavailable': {
    title: 'No es posible comunicarse con el proveedor de pagos',
    help: 'Intente de nuevo después de Retry-After segundos, con la misma Idempotency-Key.',
  },
  'dependency-unavailable': {
    title: 'No hay conexión con un servicio necesario',
    help: 'Inténtelo de nuevo después de los segundos de Retry-After.',
  },
};

export type PageLanguage = 'es-CO' | 'en';

/** The words of a page about a problem. */
export function problemText(slug: ProblemSlug, language: PageLanguage): ProblemText {
  return language === 'en' ? PROBLEMS[slug] : SPANISH[slug];
}

/** The language of a page, from Accept-Language (RFC 9110 §12.5.4): whichever of the two is wanted more; Spanish by default. */
export function pageLanguage(acceptLanguage: string | undefined): PageLanguage {
  let wanted: { language: PageLanguage; quality: number } | undefined;
  for (const range of (acceptLanguage ?? '').slice(0, 500).split(',')) {
    const match = /^\s*(es|en)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i.exec(range);
    if (match === null) continue;
    const quality = Number(match[2] ?? 1);
    const language = match[1]?.toLowerCase() === 'en' ? 'en' : 'es-CO';
    if (quality > (wanted?.quality ?? 0)) wanted = { language, quality };
  }
  return wanted?.language ?? 'es-CO';
}
