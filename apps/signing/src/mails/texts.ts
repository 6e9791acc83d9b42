import { sentence } from '@constancia/kernel';
import type { EnvelopeLocale } from '../envelope-records/envelope.entity.ts';
import type { SignerMailKind } from './signer-mail.entity.ts';

/** What a mail to a signer says. Texts are as people wrote them: the layout of a mail escapes them. */
export interface SignerMailFacts {
  kind: SignerMailKind;
  locale: EnvelopeLocale;
  /** How the tenant calls itself. */
  sender: string;
  /** Its branding: #rrggbb, and the address of its logo. */
  color: string | null;
  logoUrl: string | null;
  /** What is to be signed: the envelope's subject, else the circuit's name. */
  title: string;
  /** The sender's own words to the signers. */
  message: string | null;
  /** The signer's name. */
  name: string | null;
  /** The signer's own link. */
  link: string;
  /** The public page that verifies the document. */
  verifyLink: string;
  expiresAt: Date;
  /** Of kind `otp`. */
  code: string | null;
  codeExpiresAt: Date | null;
  /** Name, else role, of the signer who declined. */
  declinedBy: string | null;
  /** Of kind `not_me`, to the sender: which envelope, and to whom the link was mailed. */
  envelopeId: string;
  role: string;
  email: string;
  /** Why the tenant voided the envelope. */
  voidReason: string | null;
  /** The mail carries the sealed document. */
  attached: boolean;
}

/** A mail in words, to be laid out as text and as HTML. */
export interface SignerMailWords {
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** The sender's words, after the first paragraph. */
  message: string | null;
  code: string | null;
  action: { label: string; link: string; hint: string } | null;
  afterwards: string[];
  footer: string;
}

type Words = Pick<SignerMailWords, 'subject'> & Partial<Omit<SignerMailWords, 'subject' | 'greeting'>>;

interface Language {
  greeting: (name: string | null) => string;
  /** Of a mail with a link to sign or see, and of the others. */
  footer: { withLink: string; withoutLink: (sender: string) => string };
  /** What is under a button: the same link, for who cannot press it. */
  hint: string;
  /** A time in Colombia, in words that nobody reads in two ways. */
  time: (at: Date) => string;
  words: Record<SignerMailKind, (facts: SignerMailFacts, time: Language['time']) => Words>;
}

const ZONE = 'America/Bogota';

function timeIn(locale: string, suffix: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: ZONE });
  return (at) => `${format.format(at).replaceAll(/[\u00a0\u202f]/g, ' ')} (${suffix})`;
}

const ES: Language = {
  greeting: (name) => (name === null ? 'Hola:' : `Hola, ${name}:`),
  footer: {
    withLink:
      'Este enlace es personal: no reenvíe este mensaje. Si no esperaba recibirlo, puede ignorarlo; nada se firma sin usted.',
    withoutLink: (sender) => `Recibe este mensaje porque ${sender} le envió un documento para firmar.`,
  },
  hint: 'Si el botón no funciona, copie esta dirección en su navegador:',
  time: timeIn('es-CO', 'hora de Colombia, UTC−5'),
  words: {
    invitation: ({ sender, title, message, link, expiresAt }, time) => ({
      subject: `${sender} le pide firmar: ${title}`,
      paragraphs: [`${sender} le pide que lea y firme el documento «${title}».`],
      message,
      action: { label: 'Leer y firmar', link, hint: ES.hint },
      afterwards: [sentence(`Puede firmar hasta el ${time(expiresAt)}`)],
    }),
    reminder: ({ sender, title, message, link, expiresAt }, time) => ({
      subject: `Recordatorio de ${sender}: falta su firma en ${title}`,
      paragraphs: [`${sender} le recuerda que el documento «${title}» espera su firma.`],
      message,
      action: { label: 'Leer y firmar', link, hint: ES.hint },
      afterwards: [sentence(`Puede firmar hasta el ${time(expiresAt)}`)],
    }),
    otp: ({ sender, title, code, codeExpiresAt }, time) => ({
      subject: `Su código para firmar ${title}`,
      paragraphs: [`Este es su código de un solo uso para firmar «${title}», de ${sender}:`],
      code,
      afterwards: [
        ...(codeExpiresAt
          ? [`${sentence(`Sirve hasta el ${time(codeExpiresAt)}`)} Escríbalo en la página en la que lo pidió.`]
          : []),
        'No lo comparta: nadie de nuestra parte ni de quien le envía el documento se lo va a pedir.',
      ],
    }),
    completed: ({ sender, title, link, verifyLink, attached }) => ({
      subject: `Firmado por todos: ${title}`,
      paragraphs: [
        `Todas las personas firmaron «${title}», de ${sender}. El documento quedó sellado.`,
        ...(attached ? ['Lo encuentra adjunto a este mensaje.'] : []),
      ],
      action: { label: 'Ver y descargar', link, hint: ES.hint },
      afterwards: [`Cualquiera puede comprobar que el documento no ha cambiado: ${verifyLink}`],
      footer: 'Este mensaje lleva su enlace personal: no lo reenvíe.',
    }),
    declined: ({ sender, title, declinedBy }) => ({
      subject: `No se firmará: ${title}`,
      paragraphs: [
        `${declinedBy ?? 'Una de las personas'} decidió no firmar «${title}», de ${sender}. Por eso nadie más puede firmarlo.`,
        'Usted no tiene que hacer nada.',
      ],
    }),
    not_me: ({ sender, title, name, email, role, envelopeId }) => ({
      subject: `Un enlace llegó a otra persona: ${title}`,
      paragraphs: [
        `Quien abrió el enlace de ${name ?? email} (${role}) para firmar «${title}» dice que no es esa persona.`,
        `El enlace dejó de servir y nadie ha firmado con él. El sobre sigue abierto: ${envelopeId}.`,
        'Revise la dirección de correo. Si es correcta, cree un enlace nuevo para ese firmante; si no, anule el sobre y envíelo de nuevo.',
      ],
      footer: `Recibe este mensaje porque es la dirección de contacto de ${sender}.`,
    }),
    voided: ({ sender, title, voidReason }) => ({
      subject: `Anulado: ${title}`,
      paragraphs: [
        `${sender} anuló el documento «${title}». Ya no se puede firmar, y su enlace dejó de servir.`,
        ...(voidReason === null ? [] : [`Motivo: ${voidReason}`]),
        'Usted no tiene que hacer nada.',
      ],
    }),
    expired: ({ sender, title, expiresAt }, time) => ({
      subject: `Venció el plazo: ${title}`,
      paragraphs: [
        `${sentence(`El plazo para firmar «${title}», de ${sender}, terminó el ${time(expiresAt)}`)} Ya no se puede firmar.`,
        `Si todavía hace falta, pídale a ${sender} que lo envíe de nuevo.`,
      ],
    }),
  },
};

const EN: Language = {
  greeting: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
  footer: {
    withLink:
      'This link is personal: do not forward this message. If you did not expect it, you can ignore it; nothing is signed without you.',
    withoutLink: (sender) => `You receive this message because ${sender} sent you a document to sign.`,
  },
  hint: 'If the button does not work, copy this address into your browser:',
  time: timeIn('en-US', 'Colombia time, UTC−5'),
  words: {
    invitation: ({ sender, title, message, link, expiresAt }, time) => ({
      subject: `${sender} asks you to sign: ${title}`,
      paragraphs: [`${sender} asks you to read and sign the document “${title}”.`],
      message,
      action: { label: 'Read and sign', link, hint: EN.hint },
      afterwards: [`You can sign until ${time(expiresAt)}.`],
    }),
    reminder: ({ sender, title, message, link, expiresAt }, time) => ({
      subject: `Reminder from ${sender}: ${title} awaits your signature`,
      paragraphs: [`${sender} reminds you that the document “${title}” awaits your signature.`],
      message,
      action: { label: 'Read and sign', link, hint: EN.hint },
      afterwards: [`You can sign until ${time(expiresAt)}.`],
    }),
    otp: ({ sender, title, code, codeExpiresAt }, time) => ({
      subject: `Your code to sign ${title}`,
      paragraphs: [`This is your one-time code to sign “${title}” from ${sender}:`],
      code,
      afterwards: [
        ...(codeExpiresAt
          ? [`It works until ${time(codeExpiresAt)}. Type it into the page where you asked for it.`]
          : []),
        'Do not share it: neither we nor the sender of the document will ask you for it.',
      ],
    }),
    completed: ({ sender, title, link, verifyLink, attached }) => ({
      subject: `Signed by everyone: ${title}`,
      paragraphs: [
        `Everyone has signed “${title}” from ${sender}. The document is sealed.`,
        ...(attached ? ['It is attached to this message.'] : []),
      ],
      action: { label: 'View and download', link, hint: EN.hint },
      afterwards: [`Anyone can check that the document has not been changed: ${verifyLink}`],
      footer: 'This message contains your personal link: do not forward it.',
    }),
    declined: ({ sender, title, declinedBy }) => ({
      subject: `Will not be signed: ${title}`,
      paragraphs: [
        `${declinedBy ?? 'One of the signers'} decided not to sign “${title}” from ${sender}, so nobody else can sign it.`,
        'There is nothing for you to do.',
      ],
    }),
    not_me: ({ sender, title, name, email, role, envelopeId }) => ({
      subject: `A link reached somebody else: ${title}`,
      paragraphs: [
        `The person who opened the link of ${name ?? email} (${role}) to sign “${title}” says that they are not that person.`,
        `The link has stopped working, and nobody has signed with it. The envelope is still open: ${envelopeId}.`,
        'Check the mail address. If it is right, create a new link for that signer; if not, void the envelope and send it again.',
      ],
      footer: `You receive this message because yours is the contact address of ${sender}.`,
    }),
    voided: ({ sender, title, voidReason }) => ({
      subject: `Voided: ${title}`,
      paragraphs: [
        `${sender} voided the document “${title}”. It can no longer be signed, and your link has stopped working.`,
        ...(voidReason === null ? [] : [`Reason: ${voidReason}`]),
        'There is nothing for you to do.',
      ],
    }),
    expired: ({ sender, title, expiresAt }, time) => ({
      subject: `Time is up: ${title}`,
      paragraphs: [
        `The time to sign “${title}” from ${sender} ended on ${time(expiresAt)}. It can no longer be signed.`,
        `If it is still needed, ask ${sender} to send it again.`,
      ],
    }),
  },
};

const LANGUAGES: Record<EnvelopeLocale, Language> = { 'es-CO': ES, en: EN };

/** A sentence that ends in a name, such as one in S.A.S., has one full stop all the same. */
function withOneStop(sentence: string): string {
  return sentence.replace(/(?<!\.)\.\.(?=\s|$)/g, '.');
}

/** A mail in the words of the envelope's language. The code is never in the subject: phones show that on their locked screens. */
export function wordsOf(facts: SignerMailFacts): SignerMailWords {
  const { greeting, footer, time, words } = LANGUAGES[facts.locale];
  const chosen = words[facts.kind](facts, time);
  return {
    greeting: greeting(facts.kind === 'not_me' ? null : facts.name), // that one goes to the sender
    message: null,
    code: null,
    action: null,
    ...chosen,
    paragraphs: (chosen.paragraphs ?? []).map(withOneStop),
    afterwards: (chosen.afterwards ?? []).map(withOneStop),
    footer: withOneStop(chosen.footer ?? (chosen.action ? footer.withLink : footer.withoutLink(facts.sender))),
  };
}
