import type { Locale } from '../api/sign-state.ts';

/** All that the verify page says. Names of states and events are the API's. */
export interface Words {
  title: string;
  titleOfEnvelope: string;
  lead: string;
  loading: string;
  unknownEnvelope: { title: string; text: string };
  noAnswer: { title: string; text: string };
  tryAgain: string;
  choose: string;
  chooseAnother: string;
  drop: string;
  stays: string;
  checking: string;
  outcomes: Record<
    'authentic' | 'unproven' | 'unsigned' | 'other' | 'altered' | 'unknown' | 'unreadable' | 'no_answer',
    Outcome
  >;
  unknownInAll: Outcome;
  sameBytes: string;
  signatureHolds: string;
  signatureFails: string;
  sealedAt: string;
  fileHash: string;
  sealedHash: string;
  baseHash: string;
  key: string;
  signature: string;
  algorithm: string;
  publicKey: string;
  certificate: string;
  showTrail: string;
  statuses: Record<string, string>;
  statusExplained: Record<string, string>;
  signers: string;
  signerStatuses: Record<string, string>;
  signedOn: (time: string) => string;
  unnamed: string;
  trail: string;
  trailWhole: (count: number) => string;
  trailShow: (count: number) => string;
  trailBroken: string;
  trailExplained: string;
  events: Record<string, string>;
  hash: string;
  details: string;
}

interface Outcome {
  title: string;
  text: string;
}

const es: Words = {
  title: 'Verificar un documento',
  titleOfEnvelope: 'Verificación de un documento',
  lead: 'Compruebe si un PDF se selló con este servicio y si sigue igual, byte por byte.',
  loading: 'Buscando el documento…',
  unknownEnvelope: {
    title: 'No hay un documento con esta dirección',
    text: 'Revise que la dirección esté completa, como está impresa en el certificado del documento. También puede comprobar el archivo aquí mismo.',
  },
  noAnswer: {
    title: 'No pudimos consultar el documento',
    text: 'Puede ser su conexión o el servicio. Espere un momento e intente de nuevo.',
  },
  tryAgain: 'Intentar de nuevo',
  choose: 'Elegir el PDF',
  chooseAnother: 'Elegir otro archivo',
  drop: 'o arrástrelo hasta aquí',
  stays: 'El archivo se comprueba en este dispositivo y no sale de él.',
  checking: 'Comprobando el archivo…',
  outcomes: {
    authentic: {
      title: 'El documento es auténtico',
      text: 'Es exactamente el archivo que se selló: nadie lo ha cambiado desde entonces.',
    },
    unproven: {
      title: 'La firma del sello no coincide',
      text: 'El archivo tiene la huella registrada, pero ninguna llave publicada confirma su firma. No confíe en él y avise a quien se lo envió.',
    },
    unsigned: {
      title: 'Es el documento original, sin firmas',
      text: 'Es el PDF que se envió a firmar. El documento firmado es otro archivo.',
    },
    other: {
      title: 'Es un documento auténtico, pero no este',
      text: 'Se selló con este servicio y no ha cambiado, pero pertenece a otro envío que el de esta página.',
    },
    altered: {
      title: 'El archivo fue alterado',
      text: 'Lleva un sello de este servicio, pero ya no es el archivo que se selló: lo cambiaron después. Basta abrirlo y volver a guardarlo con algunos programas. No confíe en su contenido y pida el archivo original.',
    },
    unknown: {
      title: 'Este archivo no es el documento sellado',
      text: 'No lleva ningún sello de este servicio: es otro archivo, o una copia impresa o escaneada. Pida el archivo original.',
    },
    unreadable: {
      title: 'No pudimos leer el archivo',
      text: 'Su navegador no lo pudo abrir, o pesa más de 128 MB. Elija el PDF tal como lo recibió.',
    },
    no_answer: {
      title: 'No pudimos terminar la comprobación',
      text: 'La huella está calculada, pero el servicio no respondió. Espere un momento y elija el archivo otra vez.',
    },
  },
  unknownInAll: {
    title: 'Este archivo no se selló aquí',
    text: 'No lleva ningún sello de este servicio: viene de otra parte, o es una copia impresa o escaneada de un documento. Pida el archivo original.',
  },
  sameBytes: 'La huella SHA-256 del archivo es la del documento sellado.',
  signatureHolds: 'La firma digital del sello es válida con la llave publicada. Lo comprobó este navegador.',
  signatureFails: 'La firma digital del sello no es válida con ninguna llave publicada.',
  sealedAt: 'Sellado',
  fileHash: 'Huella SHA-256 del archivo',
  sealedHash: 'Huella SHA-256 del documento sellado',
  baseHash: 'Huella SHA-256 del documento original',
  key: 'Llave',
  signature: 'Firma',
  algorithm: 'Algoritmo',
  publicKey: 'Llave pública',
  certificate: 'Certificado',
  showTrail: 'Ver quién lo firmó y su historia',
  statuses: {
    sent: 'Enviado',
    in_progress: 'En firma',
    sealing: 'Sellándose',
    sealed: 'Firmado y sellado',
    failed: 'No se pudo sellar',
    declined: 'Rechazado',
    voided: 'Anulado',
    expired: 'Vencido',
  },
  statusExplained: {
    sent: 'Nadie ha abierto el documento todavía. No está firmado.',
    in_progress: 'Faltan firmas. Todavía no hay un documento sellado.',
    sealing: 'Todos firmaron. El documento sellado estará listo en un momento.',
    sealed: 'Todos firmaron y el documento quedó sellado.',
    failed: 'Todos firmaron, pero el documento no se pudo sellar. No hay un documento sellado.',
    declined: 'Uno de los firmantes no quiso firmar. No hay un documento sellado.',
    voided: 'Quien lo envió lo anuló. No hay un documento sellado.',
    expired: 'Se acabó el plazo para firmar. No hay un documento sellado.',
  },
  signers: 'Firmantes',
  signerStatuses: {
    waiting: 'Espera su turno',
    pending: 'No ha abierto el documento',
    viewed: 'Abrió el enlace',
    consented: 'Aceptó firmar en línea',
    authenticated: 'Demostró quién es',
    signed: 'Firmó',
    declined: 'No quiso firmar',
  },
  signedOn: (time) => `Firmó el ${time}`,
  unnamed: 'Sin nombre',
  trail: 'Historia del documento',
  trailWhole: (count) =>
    count === 1 ? 'Un evento, con su huella.' : `${count} eventos encadenados, sin faltar ninguno.`,
  trailShow: (count) => (count === 1 ? 'Ver el evento' : `Ver los ${count} eventos`),
  trailBroken: 'La cadena de eventos está rota: falta uno o está cambiado.',
  trailExplained:
    'Cada evento lleva la huella del anterior; la última huella antes del sello está impresa en el certificado del documento.',
  events: {
    'envelope.sent': 'Documento enviado a firmar',
    'signer.notified': 'Se le envió un correo',
    'signer.viewed': 'Abrió el enlace',
    'signer.link_opened': 'Abrió el enlace',
    'signer.document_shown': 'Vio el documento',
    'signer.not_me': 'Dijo que no es esa persona',
    'signer.link_renewed': 'Enlace renovado',
    'signer.consented': 'Aceptó firmar en línea',
    'signer.otp_sent': 'Se le envió un código',
    'signer.otp_failed': 'Código equivocado',
    'signer.locked': 'Demasiados códigos equivocados',
    'signer.authenticated': 'Demostró quién es',
    'signer.signed': 'Firmó',
    'signer.declined': 'No quiso firmar',
    'signer.reminded': 'Se pidió recordarle',
    'signer.token_rotated': 'Enlace reemplazado',
    'envelope.voided': 'Documento anulado',
    'envelope.expired': 'Plazo vencido',
    'envelope.sealed': 'Documento sellado',
    'envelope.failed': 'No se pudo sellar',
  },
  hash: 'Huella',
  details: 'Datos para verificar sin nosotros',
};

const en: Words = {
  title: 'Verify a document',
  titleOfEnvelope: 'Verification of a document',
  lead: 'Check whether a PDF was sealed by this service and is still the same, byte by byte.',
  loading: 'Looking for the document…',
  unknownEnvelope: {
    title: 'There is no document at this address',
    text: 'Check that the address is complete, as printed on the certificate of the document. You can also check the file right here.',
  },
  noAnswer: {
    title: 'We could not look the document up',
    text: 'It may be your connection or the service. Wait a moment and try again.',
  },
  tryAgain: 'Try again',
  choose: 'Choose the PDF',
  chooseAnother: 'Choose another file',
  drop: 'or drop it here',
  stays: 'The file is checked on this device and does not leave it.',
  checking: 'Checking the file…',
  outcomes: {
    authentic: {
      title: 'The document is authentic',
      text: 'It is exactly the file that was sealed: nobody has changed it since.',
    },
    unproven: {
      title: 'The signature of the seal does not match',
      text: 'The file has the hash on record, but no published key confirms its signature. Do not rely on it, and tell whoever sent it to you.',
    },
    unsigned: {
      title: 'It is the original document, without signatures',
      text: 'It is the PDF that was sent to be signed. The signed document is another file.',
    },
    other: {
      title: 'An authentic document, but not this one',
      text: 'It was sealed by this service and has not been changed, but it belongs to another envelope than the one on this page.',
    },
    altered: {
      title: 'The file was altered',
      text: 'It carries a seal of this service, but it is no longer the file that was sealed: it was changed afterwards. Opening and saving it with some programs is enough. Do not rely on its content, and ask for the original file.',
    },
    unknown: {
      title: 'This file is not the sealed document',
      text: 'It carries no seal of this service: it is another file, or a printed or scanned copy. Ask for the original file.',
    },
    unreadable: {
      title: 'We could not read the file',
      text: 'Your browser could not open it, or it is larger than 128 MB. Choose the PDF as you received it.',
    },
    no_answer: {
      title: 'We could not finish the check',
      text: 'The hash is computed, but the service did not answer. Wait a moment and choose the file again.',
    },
  },
  unknownInAll: {
    title: 'This file was not sealed here',
    text: 'It carries no seal of this service: it comes from elsewhere, or is a printed or scanned copy of a document. Ask for the original file.',
  },
  sameBytes: 'The SHA-256 hash of the file is that of the sealed document.',
  signatureHolds: 'The digital signature of the seal is valid with the published key. This browser checked it.',
  signatureFails: 'The digital signature of the seal is not valid with any published key.',
  sealedAt: 'Sealed',
  fileHash: 'SHA-256 hash of the file',
  sealedHash: 'SHA-256 hash of the sealed document',
  baseHash: 'SHA-256 hash of the original document',
  key: 'Key',
  signature: 'Signature',
  algorithm: 'Algorithm',
  publicKey: 'Public key',
  certificate: 'Certificate',
  showTrail: 'See who signed it and its history',
  statuses: {
    sent: 'Sent',
    in_progress: 'Being signed',
    sealing: 'Being sealed',
    sealed: 'Signed and sealed',
    failed: 'Could not be sealed',
    declined: 'Declined',
    voided: 'Voided',
    expired: 'Expired',
  },
  statusExplained: {
    sent: 'Nobody has opened the document yet. It is not signed.',
    in_progress: 'Signatures are missing. There is no sealed document yet.',
    sealing: 'Everybody signed. The sealed document will be ready in a moment.',
    sealed: 'Everybody signed, and the document is sealed.',
    failed: 'Everybody signed, but the document could not be sealed. There is no sealed document.',
    declined: 'One of the signers declined. There is no sealed document.',
    voided: 'Whoever sent it voided it. There is no sealed document.',
    expired: 'The time for signing is over. There is no sealed document.',
  },
  signers: 'Signers',
  signerStatuses: {
    waiting: 'Waits for their turn',
    pending: 'Has not opened the document',
    viewed: 'Opened the link',
    consented: 'Agreed to sign online',
    authenticated: 'Proved who they are',
    signed: 'Signed',
    declined: 'Declined',
  },
  signedOn: (time) => `Signed on ${time}`,
  unnamed: 'No name',
  trail: 'History of the document',
  trailWhole: (count) => (count === 1 ? 'One event, with its hash.' : `${count} chained events, none missing.`),
  trailShow: (count) => (count === 1 ? 'Show the event' : `Show the ${count} events`),
  trailBroken: 'The chain of events is broken: one is missing or changed.',
  trailExplained:
    'Every event carries the hash of the one before; the last hash before the seal is printed on the certificate of the document.',
  events: {
    'envelope.sent': 'Document sent to be signed',
    'signer.notified': 'A mail was sent',
    'signer.viewed': 'Opened the link',
    'signer.link_opened': 'Opened the link',
    'signer.document_shown': 'Was shown the document',
    'signer.not_me': 'Said that they are not this person',
    'signer.link_renewed': 'Link renewed',
    'signer.consented': 'Agreed to sign online',
    'signer.otp_sent': 'A code was sent',
    'signer.otp_failed': 'Wrong code',
    'signer.locked': 'Too many wrong codes',
    'signer.authenticated': 'Proved who they are',
    'signer.signed': 'Signed',
    'signer.declined': 'Declined',
    'signer.reminded': 'A reminder was asked for',
    'signer.token_rotated': 'Link replaced',
    'envelope.voided': 'Document voided',
    'envelope.expired': 'Time is over',
    'envelope.sealed': 'Document sealed',
    'envelope.failed': 'Could not be sealed',
  },
  hash: 'Hash',
  details: 'Facts for verifying without us',
};

export const WORDS: Record<Locale, Words> = { 'es-CO': es, en };

/** Of what the browser's user prefers, the first that the page has; Spanish when it has none. */
export function preferredLanguage(languages: readonly string[]): Locale {
  for (const wanted of languages) {
    if (/^es\b/i.test(wanted)) return 'es-CO';
    if (/^en\b/i.test(wanted)) return 'en';
  }
  return 'es-CO';
}
