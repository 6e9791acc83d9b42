import { inUtc, type Locale } from '../times.ts';
import type { Authentication, VerifiedIdentity } from './facts.ts';

/** The words of the certificate in one language. */
export interface CompletionTexts {
  title: string;
  about: string;
  scan: string;
  page: (number: number, of: number) => string;
  summary: Record<'subject' | 'sender' | 'envelope' | 'document' | 'digest' | 'sent' | 'completed' | 'verify', string>;
  pages: (count: number) => string;
  signers: (count: number) => string;
  role: string;
  adopted: string;
  event: string;
  detail: string;
  steps: Record<'opened' | 'shown' | 'consented' | 'authenticated' | 'signed', string>;
  consent: (version: string, locale: string) => string;
  method: Record<Authentication['method'], string>;
  /** After a method that sends a code to a phone. */
  toPhone: (masked: string) => string;
  identity: {
    title: string;
    /** In the place of the method's text, when a kept verification was given. */
    kept: string;
    /** What was compared with what. */
    checked: (verified: VerifiedIdentity) => string;
    record: string;
    /** Where it is recorded. */
    recorded: (verified: VerifiedIdentity) => string;
  };
  outcome: (failures: number) => string;
  typed: string;
  drawn: string;
  proof: Record<'connection' | 'frame' | 'consent' | 'shown' | 'signature', string>;
  /** A ticked box, by its label, and how many more there are. */
  ticked: string;
  moreTicked: (count: number) => string;
  unknown: string;
  chain: { title: string; about: string; head: (seq: number) => string };
  offline: { title: string; about: string; embedded: string; detached: string; key: string; fingerprint: string };
  files: Record<'document' | 'signature' | 'key', string>;
}

const DOCUMENTS_ES: Record<string, string> = {
  CC: 'la cédula de ciudadanía',
  CE: 'la cédula de extranjería',
  TI: 'la tarjeta de identidad',
  PA: 'el pasaporte',
  PPT: 'el permiso por protección temporal',
};
const DOCUMENTS_EN: Record<string, string> = {
  CC: 'cédula de ciudadanía',
  CE: 'cédula de extranjería',
  TI: 'tarjeta de identidad',
  PA: 'passport',
  PPT: 'permiso por protección temporal',
};
const LIVENESS_ES = { basic: 'pasiva', active: 'activa' } as const;

const LEVELS_ES = {
  document: 'documento',
  document_face: 'documento y rostro',
  document_face_liveness: 'documento, rostro y prueba de vida',
} as const;
const PROVED_ES = { otp: 'un código enviado a su correo', passkey: 'una llave de acceso' } as const;
const PROVED_EN = { otp: 'a code mailed to its address', passkey: 'a passkey' } as const;
const LEVELS_EN = {
  document: 'document',
  document_face: 'document and face',
  document_face_liveness: 'document, face and liveness',
} as const;

/** UTC. */
const dayOf = (time: Date) => inUtc(time).slice(0, 10);

const ES: CompletionTexts = {
  title: 'Certificado de finalización',
  about:
    'Resume quién firmó este documento, cuándo y con qué evidencia. Forma parte del documento sellado: cualquier cambio posterior, aquí o en las demás páginas, invalida el sello.',
  scan: 'Escanee para verificar',
  page: (number, of) => `Página ${number} de ${of}`,
  summary: {
    subject: 'Asunto',
    sender: 'Remitente',
    envelope: 'Sobre',
    document: 'Documento base',
    digest: 'SHA-256 de la base',
    sent: 'Enviado',
    completed: 'Última firma',
    verify: 'Verificación',
  },
  pages: (count) => (count === 1 ? '1 página' : `${count} páginas`),
  signers: (count) => (count === 1 ? 'Firmante' : `Firmantes (${count})`),
  role: 'Rol',
  adopted: 'Firma adoptada',
  event: 'Evento',
  detail: 'Detalle',
  steps: {
    opened: 'Abrió el enlace',
    shown: 'Vio el documento',
    consented: 'Dio su consentimiento',
    authenticated: 'Se autenticó',
    signed: 'Firmó',
  },
  consent: (version, locale) => `Texto ${version} (${locale})`,
  method: {
    otp_email: 'Código enviado al correo',
    otp_sms: 'Mensaje de texto',
    otp_whatsapp: 'WhatsApp',
    access_code: 'Código de acceso',
    identity: 'Identidad verificada con documento y rostro',
  },
  toPhone: (masked) => ` al ${masked}`,
  identity: {
    title: 'Identidad verificada',
    kept: 'Identidad verificada con una verificación guardada (billetera)',
    checked: ({ documentType, documentCountry, how }) => {
      const name = `Nombre según ${DOCUMENTS_ES[documentType] ?? documentType} (${documentCountry})`;
      return 'level' in how
        ? `${name}; verificación guardada (billetera) del ${dayOf(how.keptSince)}: ${LEVELS_ES[how.level]}; billetera demostrada con ${PROVED_ES[how.provedBy]}`
        : `${name}; rostro comparado con el documento, prueba de vida ${LIVENESS_ES[how.liveness]}`;
    },
    record: 'Registro de la verificación',
    recorded: ({ at, flow, sessionId }) =>
      `${inUtc(at)} UTC · flujo ${flow.type}/${flow.code} v${flow.version} · ${sessionId}`,
  },
  outcome: (failures) =>
    failures === 0 ? 'correcto' : `correcto tras ${failures} ${failures === 1 ? 'error' : 'errores'}`,
  typed: 'Firma escrita, con intención expresa de firmar',
  drawn: 'Firma dibujada, con intención expresa de firmar',
  proof: {
    connection: 'Conexión',
    frame: 'Sitio según el remitente',
    consent: 'Texto aceptado (SHA-256)',
    shown: 'Documento mostrado (SHA-256)',
    signature: 'Firma (SHA-256)',
  },
  ticked: 'Casilla marcada',
  moreTicked: (count) => `y ${count} más`,
  unknown: 'no registrada',
  chain: {
    title: 'Cadena de evidencia',
    about:
      'Cada paso quedó registrado en una cadena de eventos en la que cada uno contiene el hash del anterior. El remitente puede consultarla completa; si un solo evento cambiara, el hash que sigue dejaría de coincidir.',
    head: (seq) => `Evento ${seq}, el de la última firma`,
  },
  offline: {
    title: 'Cómo verificar sin conexión',
    about:
      'El documento se verifica sin necesidad de este servicio. El SHA-256 del archivo final no puede figurar dentro de él: aparece en la página de verificación, junto con la firma separada (en hexadecimal) y esta clave pública.',
    embedded: '1. La firma incrustada (PAdES) cubre el archivo completo:',
    detached: '2. La firma separada, hecha con la misma clave, cubre el SHA-256 del archivo final:',
    key: 'Clave pública',
    fingerprint: 'Huella de la clave (SHA-256)',
  },
  files: { document: 'documento.pdf', signature: 'firma', key: 'clave.pem' },
};

const EN: CompletionTexts = {
  title: 'Certificate of completion',
  about:
    'Lists who signed this document, when, and with what evidence. It is part of the sealed document: a later change to this or another page breaks the seal.',
  scan: 'Scan to verify',
  page: (number, of) => `Page ${number} of ${of}`,
  summary: {
    subject: 'Subject',
    sender: 'Sender',
    envelope: 'Envelope',
    document: 'Base document',
    digest: 'SHA-256 of the base',
    sent: 'Sent',
    completed: 'Last signature',
    verify: 'Verification',
  },
  pages: (count) => (count === 1 ? '1 page' : `${count} pages`),
  signers: (count) => (count === 1 ? 'Signer' : `Signers (${count})`),
  role: 'Role',
  adopted: 'Signature adopted',
  event: 'Event',
  detail: 'Detail',
  steps: {
    opened: 'Opened the link',
    shown: 'Was shown the document',
    consented: 'Gave consent',
    authenticated: 'Authenticated',
    signed: 'Signed',
  },
  consent: (version, locale) => `Text ${version} (${locale})`,
  method: {
    otp_email: 'Code sent by mail',
    otp_sms: 'Text message',
    otp_whatsapp: 'WhatsApp',
    access_code: 'Access code',
    identity: 'Identity verified by document and face',
  },
  toPhone: (masked) => ` to ${masked}`,
  identity: {
    title: 'Identity verified',
    kept: 'Identity verified by a kept verification (wallet)',
    checked: ({ documentType, documentCountry, how }) => {
      const name = `Name as on the ${DOCUMENTS_EN[documentType] ?? documentType} (${documentCountry})`;
      return 'level' in how
        ? `${name}; kept verification (wallet) of ${dayOf(how.keptSince)}: ${LEVELS_EN[how.level]}; wallet proved by ${PROVED_EN[how.provedBy]}`
        : `${name}; face compared with the document, ${how.liveness === 'active' ? 'active' : 'passive'} liveness`;
    },
    record: 'Record of the verification',
    recorded: ({ at, flow, sessionId }) =>
      `${inUtc(at)} UTC · flow ${flow.type}/${flow.code} v${flow.version} · ${sessionId}`,
  },
  outcome: (failures) =>
    failures === 0 ? 'correct' : `correct after ${failures} wrong ${failures === 1 ? 'one' : 'ones'}`,
  typed: 'Typed signature, with express intent to sign',
  drawn: 'Drawn signature, with express intent to sign',
  proof: {
    connection: 'Connection',
    frame: 'Website given by the sender',
    consent: 'Text accepted (SHA-256)',
    shown: 'Document shown (SHA-256)',
    signature: 'Signature (SHA-256)',
  },
  ticked: 'Box ticked',
  moreTicked: (count) => `and ${count} more`,
  unknown: 'not recorded',
  chain: {
    title: 'Chain of evidence',
    about:
      'Every step was recorded in a chain of events, each of which holds the hash of the one before. The sender can read it whole; were a single event changed, the hash below would no longer match.',
    head: (seq) => `Event ${seq}, that of the last signature`,
  },
  offline: {
    title: 'How to verify offline',
    about:
      'The document is verified without this service. The SHA-256 of the final file cannot stand inside it: the verification page shows it, together with the detached signature (in hexadecimal) and this public key.',
    embedded: '1. The embedded signature (PAdES) covers the whole file:',
    detached: '2. The detached signature, made with the same key, covers the SHA-256 of the final file:',
    key: 'Public key',
    fingerprint: 'Fingerprint of the key (SHA-256)',
  },
  files: { document: 'document.pdf', signature: 'signature', key: 'key.pem' },
};

export const COMPLETION_TEXTS: Readonly<Record<Locale, CompletionTexts>> = { 'es-CO': ES, en: EN };
