import type { Locale } from '../locale.ts';
import { letter } from '../mail-letter.ts';

export type OwnerNoticeKind =
  | 'key_created'
  | 'key_changed'
  | 'key_rotated'
  | 'key_recovered'
  | 'key_deleted'
  | 'webhook_secret_rotated'
  | 'endpoint_created'
  | 'endpoint_secret_rotated'
  | 'endpoint_deleted'
  | 'sso_changed'
  | 'sso_deleted';

export interface OwnerNoticeFacts {
  kind: OwnerNoticeKind;
  displayName: string;
  slug: string;
  /** The first characters of the key, and its name, the id of the endpoint, or the issuer; null where none is meant. */
  detail: string | null;
  at: Date;
}

interface Wording {
  subject: Record<OwnerNoticeKind, string>;
  what: Record<OwnerNoticeKind, (tenant: string, when: string) => string>;
  prefix: string;
  endpoint: string;
  issuer: string;
  own: string;
  otherwise: string;
}

const WORDING: Record<Locale, Wording> = {
  'es-CO': {
    subject: {
      key_created: 'Se creó una llave de API',
      key_changed: 'Se cambió una llave de API',
      key_rotated: 'Se reemplazó una llave de API',
      key_recovered: 'Se recuperó la llave de API',
      key_deleted: 'Se eliminó una llave de API',
      webhook_secret_rotated: 'Se reemplazó el secreto de webhooks',
      endpoint_created: 'Se agregó un destino de webhooks',
      endpoint_secret_rotated: 'Se reemplazó el secreto de un destino de webhooks',
      endpoint_deleted: 'Se eliminó un destino de webhooks',
      sso_changed: 'Se cambió el inicio de sesión único',
      sso_deleted: 'Se eliminó el inicio de sesión único',
    },
    what: {
      key_created: (tenant, when) => `Se creó una llave de API de ${tenant} el ${when}.`,
      key_changed: (tenant, when) => `Se cambiaron los permisos, las redes o el vencimiento de una llave de API de ${tenant} el ${when}.`,
      key_rotated: (tenant, when) => `Una llave de API de ${tenant} se reemplazó el ${when}. La anterior sirve hasta el final de su período de gracia.`,
      key_recovered: (tenant, when) => `La llave de API de ${tenant} se reemplazó el ${when} con un código enviado a esta dirección. La anterior ya no sirve.`,
      key_deleted: (tenant, when) => `Se eliminó una llave de API de ${tenant} el ${when}. Ya no sirve.`,
      webhook_secret_rotated: (tenant, when) => `El secreto con el que se firman los webhooks de ${tenant} se reemplazó el ${when}.`,
      endpoint_created: (tenant, when) => `Se agregó un destino de webhooks de ${tenant}, con un secreto propio, el ${when}.`,
      endpoint_secret_rotated: (tenant, when) => `El secreto de un destino de webhooks de ${tenant} se reemplazó el ${when}.`,
      endpoint_deleted: (tenant, when) => `Se eliminó un destino de webhooks de ${tenant} el ${when}, con su secreto.`,
      sso_changed: (tenant, when) => `Se cambió el proveedor de identidad con el que los miembros de ${tenant} inician sesión, el ${when}.`,
      sso_deleted: (tenant, when) => `Se eliminó el proveedor de identidad con el que los miembros de ${tenant} iniciaban sesión, el ${when}.`,
    },
    prefix: 'La llave empieza por',
    endpoint: 'El destino es',
    issuer: 'El proveedor es',
    own: 'Si fue usted o alguien de su equipo, no tiene que hacer nada.',
    otherwise: 'Si no fue así, recupere la llave principal (default) ahora mismo: pida un código con POST /tenants/{id}/api-key-recovery. Al usarlo, la anterior deja de servir. Con la nueva revise las demás (GET /v1/api-keys) y elimine las que no reconozca.',
  },
  en: {
    subject: {
      key_created: 'An API key was created',
      key_changed: 'An API key was changed',
      key_rotated: 'An API key was replaced',
      key_recovered: 'The API key was recovered',
      key_deleted: 'An API key was deleted',
      webhook_secret_rotated: 'The webhook secret was replaced',
      endpoint_created: 'A webhook endpoint was added',
      endpoint_secret_rotated: 'The secret of a webhook endpoint was replaced',
      endpoint_deleted: 'A webhook endpoint was deleted',
      sso_changed: 'Single sign-on was changed',
      sso_deleted: 'Single sign-on was removed',
    },
    what: {
      key_created: (tenant, when) => `An API key of ${tenant} was created on ${when}.`,
      key_changed: (tenant, when) => `The scopes, networks or end of an API key of ${tenant} were changed on ${when}.`,
      key_rotated: (tenant, when) => `An API key of ${tenant} was replaced on ${when}. The former key works until the end of its grace period.`,
      key_recovered: (tenant, when) => `The API key of ${tenant} was replaced on ${when} with a token that was mailed to this address. The former key no longer works.`,
      key_deleted: (tenant, when) => `An API key of ${tenant} was deleted on ${when}. It no longer works.`,
      webhook_secret_rotated: (tenant, when) => `The secret that signs the webhooks of ${tenant} was replaced on ${when}.`,
      endpoint_created: (tenant, when) => `A webhook endpoint of ${tenant}, with a secret of its own, was added on ${when}.`,
      endpoint_secret_rotated: (tenant, when) => `The secret of a webhook endpoint of ${tenant} was replaced on ${when}.`,
      endpoint_deleted: (tenant, when) => `A webhook endpoint of ${tenant} was deleted on ${when}, with its secret.`,
      sso_changed: (tenant, when) => `The identity provider with which members of ${tenant} sign in was changed on ${when}.`,
      sso_deleted: (tenant, when) => `The identity provider with which members of ${tenant} signed in was removed on ${when}.`,
    },
    prefix: 'The key begins with',
    endpoint: 'The endpoint is',
    issuer: 'The provider is',
    own: 'If you or somebody of your team did this, there is nothing to do.',
    otherwise: 'If not, recover the default key now: ask for a token with POST /tenants/{id}/api-key-recovery. Using it ends the former one. With the new one look at the others (GET /v1/api-keys) and delete those that you do not know.',
  },
}; // prettier-ignore

function labelOf(kind: OwnerNoticeKind, { endpoint, issuer, prefix }: Wording): string {
  if (kind.startsWith('endpoint_')) return endpoint;
  return kind.startsWith('sso_') ? issuer : prefix;
}

/** The mail about a change of the tenant's credentials, text and HTML. It holds no credential. */
export function ownerNoticeMail(
  locale: Locale,
  { kind, displayName, slug, detail, at }: OwnerNoticeFacts,
): { subject: string; text: string; html: string } {
  const words = WORDING[locale];
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long', timeZone: 'America/Bogota' });
  const subject = `${words.subject[kind]}: ${displayName}`;
  const paragraphs = [
    words.what[kind](`${displayName} (${slug})`, when.format(at)),
    ...(detail === null ? [] : [`${labelOf(kind, words)} ${detail}`]),
    words.own,
    words.otherwise,
  ];
  return letter(locale, subject, paragraphs);
}
