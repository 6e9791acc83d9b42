import { sentence } from '@constancia/kernel/sentence';
import { FRAME_TEXTS } from '@constancia/web/frame-texts';
import type { FieldType } from '../api/sign-state.ts';
import { IDENTITY_ES } from './spanish-identity.ts';
import { clock, isForGood } from './waits.ts';

const times = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

const NEW_LINK = 'Demasiados códigos equivocados: pida a quien le envió el documento un enlace nuevo.';

const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'Firma',
  initials: 'Iniciales',
  name: 'Nombre completo',
  date: 'Fecha',
  text: 'Texto',
  checkbox: 'Casilla',
};

export const SPANISH = {
  page: {
    name: 'Firma electrónica',
    skip: 'Saltar al contenido',
    sentBy: 'Documento enviado por',
    personal: 'Este enlace es personal: quien lo tenga puede abrir el documento. No lo reenvíe.',
    loading: 'Abriendo su documento…',
    back: 'Volver',
    retry: 'Intentar de nuevo',
    refresh: 'Actualizar',
    required: 'obligatorio',
    optional: 'opcional',
    untitled: 'Documento para firmar',
  },
  frame: FRAME_TEXTS['es-CO'],
  steps: {
    label: 'Avance',
    of: (step: number, total: number) => `Paso ${step} de ${total}`,
    consent: 'Autorización',
    otp_email: 'Código por correo',
    otp_phone: 'Código al teléfono',
    access_code: 'Clave de acceso',
    identity: 'Identidad',
    read: 'Lectura',
    fill: 'Sus datos',
    sign: 'Firma',
  },
  notices: {
    unreachable: 'No pudimos conectarnos. Revise su conexión e intente de nuevo; no se perdió lo que ya hizo.',
    changed: 'El estado de este documento cambió. Esto es lo que sigue ahora.',
    crowded: (seconds: number) => `Hubo demasiados intentos seguidos. Podrá continuar en ${clock(seconds)}.`,
    notAccepted: 'Algo de lo que escribió no fue aceptado. Revíselo e intente de nuevo.',
  },
  consent: {
    title: 'Antes de firmar',
    lead: (sender: string, subject: string) => `${sender} le envió «${subject}» para que lo firme electrónicamente.`,
    message: 'Mensaje de quien envía',
    until: (date: string) => sentence(`Puede firmarlo hasta el ${date}`),
    why: 'Para firmar sin papel necesitamos su autorización. Léala con calma: firmar por este medio es voluntario.',
    text: 'Autorización para firmar por medios electrónicos',
    otherLanguage: 'Este texto está disponible solo en inglés.',
    accept: 'Leí la autorización y acepto firmar este documento por medios electrónicos.',
    missing: 'Para continuar, marque que acepta. Si no está de acuerdo, puede no firmar.',
    submit: 'Aceptar y continuar',
    look: 'Ver el documento',
  },
  otp: {
    title: 'Confirme que es usted',
    lead: (address: string) =>
      `Le enviaremos un código de 6 dígitos a ${address}. Así queda constancia de que firma usted.`,
    send: 'Enviarme el código',
    how: 'Cómo quiere recibir el código',
    by: { otp_email: 'Correo', otp_sms: 'Mensaje de texto', otp_whatsapp: 'WhatsApp' },
    sentBy: {
      otp_email: (address: string) =>
        `Enviamos el código a ${address}. Puede tardar un minuto; mire también el correo no deseado.`,
      otp_sms: (number: string) =>
        `Enviamos el código por mensaje de texto a ${number}. Puede tardar un minuto. Si ese número no es el suyo, avísele a quien le envió el documento.`,
      otp_whatsapp: (number: string) =>
        `Enviamos el código por WhatsApp a ${number}. Puede tardar un minuto. Si ese número no es el suyo, avísele a quien le envió el documento.`,
    },
    until: (date: string) => sentence(`Sirve hasta el ${date}`),
    label: 'Código de 6 dígitos',
    submit: 'Confirmar',
    again: 'Enviar otro código',
    againIn: (seconds: number) => (isForGood(seconds) ? NEW_LINK : `Podrá pedir otro código en ${clock(seconds)}`),
    incomplete: 'Escriba los 6 dígitos del código.',
    wrong: (left: number) =>
      `El código no es correcto. Le ${left === 1 ? 'queda 1 intento' : `quedan ${left} intentos`}.`,
    spent: 'Ese código ya no sirve: venció o hubo demasiados intentos. Pida uno nuevo.',
  },
  accessCode: {
    title: 'Escriba su clave de acceso',
    lead: (sender: string) =>
      `${sender} debió darle una clave por otro medio, por ejemplo una llamada o un mensaje. Así queda constancia de que firma usted.`,
    label: 'Clave de acceso',
    help: 'Distingue mayúsculas de minúsculas. ¿No la tiene? Pídala a quien le envió el documento.',
    submit: 'Confirmar',
    missing: 'Escriba la clave de acceso.',
    malformed: 'Así no son las claves de acceso: tienen de 4 a 64 caracteres. Escríbala completa.',
    wrong: (left: number) =>
      `La clave no es correcta. Le ${left === 1 ? 'queda 1 intento' : `quedan ${left} intentos`}.`,
    locked:
      'Por seguridad, la clave quedó bloqueada un rato después de varios intentos. Mientras tanto, pida la clave correcta a quien le envió el documento.',
    lockedFor: (seconds: number) => (isForGood(seconds) ? NEW_LINK : `Podrá intentar de nuevo en ${clock(seconds)}.`),
  },
  identity: IDENTITY_ES,
  read: {
    title: 'Lea el documento',
    lead: 'Tómese el tiempo que necesite. Antes de firmar puede volver a leerlo cuando quiera.',
    places: (count: number) => `Lo que usted debe completar está marcado: ${times(count, 'lugar', 'lugares')}.`,
    submit: 'Ya lo leí, continuar',
    notYet: 'Podrá continuar cuando se muestre el documento.',
  },
  fill: {
    title: 'Complete sus datos',
    lead: 'Lo que escriba quedará en el documento, en los lugares marcados.',
    show: (label: string) => `Ver dónde: ${label}`,
    showShort: 'Ver dónde',
    submit: 'Continuar a la firma',
    initialsHelp: (count: number) => `Se pondrán en ${times(count, 'lugar', 'lugares')} del documento.`,
    onPage: (page: number) => `Página ${page}`,
    asked: (count: number) => `Ahora hay ${times(count, 'dato', 'datos')} por completar.`,
    fixed: 'El remitente fijó este dato; aquí no se puede cambiar.',
    faults: (count: number) => `Falta corregir ${times(count, 'dato', 'datos')}.`,
    missing: 'Escriba este dato: es obligatorio.',
    unticked: 'Marque esta casilla para poder firmar.',
    badDate: 'Escriba una fecha completa.',
    refused: 'Este dato no fue aceptado. Puede ser muy largo para su lugar en el documento.',
    names: FIELD_NAMES,
  },
  sign: {
    title: 'Firme el documento',
    lead: 'Este es el último paso. Nada queda firmado hasta que pulse el botón.',
    how: 'Cómo quiere firmar',
    typed: 'Escribir mi nombre',
    drawn: 'Dibujar mi firma',
    typedLabel: 'Su nombre, como debe verse en la firma',
    typedHelp: 'Una firma escrita vale lo mismo que una dibujada.',
    preview: 'Así se verá',
    typedMissing: 'Escriba su nombre para firmar.',
    drawnLabel: 'Espacio para dibujar su firma con el dedo, un lápiz o el ratón',
    drawnHelp: 'Dibuje dentro del recuadro. Si gira el teléfono, el dibujo se conserva.',
    drawnMissing: 'Dibuje su firma, o elija escribir su nombre.',
    typedRefused: 'Este nombre no cabe en su lugar del documento. Acórtelo, o dibuje su firma.',
    drawnRefused: 'No pudimos usar ese dibujo. Bórrelo y dibújelo de nuevo, o escriba su nombre.',
    drawnUnreachable: 'No pudimos cargar el espacio para dibujar. Escriba su nombre, o vuelva a cargar la página.',
    undo: 'Deshacer',
    clear: 'Borrar',
    summary: 'Lo que va a firmar',
    document: 'Documento',
    sender: 'Enviado por',
    signer: 'Firma usted',
    role: 'En calidad de',
    yes: 'Sí',
    no: 'No',
    empty: 'Sin llenar',
    effect:
      'Firmar aquí tiene efectos legales: en Colombia, una firma electrónica como esta puede obligarle igual que una firma en papel (Ley 527 de 1999 y Decreto 2364 de 2012). Si tiene dudas sobre el contenido, resuélvalas antes de firmar.',
    recorded: 'Qué queda registrado',
    recordedText:
      'Junto con su firma se guardan, como prueba: la fecha y la hora, su dirección IP, el navegador que usa, cómo confirmó que es usted, la autorización que aceptó y una huella digital del documento que vio.',
    intent: 'Quiero firmar este documento y acepto su contenido.',
    intentMissing: 'Marque que quiere firmar este documento.',
    submit: 'Firmar el documento',
    submitting: 'Firmando…',
    back: 'Volver a mis datos',
    backToRead: 'Volver a leer',
  },
  document: {
    label: 'Documento',
    views: 'Qué ver',
    form: 'Formulario',
    downloading: 'Descargando el documento',
    progress: (percent: number) => `${percent} %`,
    received: (megabytes: string) => `${megabytes} MB`,
    opening: 'Preparando las páginas…',
    ready: (pages: number) => `Documento listo: ${times(pages, 'página', 'páginas')}.`,
    page: (page: number, pages: number) => `Página ${page} de ${pages}`,
    seen: (seen: number, pages: number) => (seen >= pages ? 'todas vistas' : times(seen, 'vista', 'vistas')),
    nextField: 'Siguiente campo',
    zoomIn: 'Acercar',
    zoomOut: 'Alejar',
    zoom: (percent: number) => `Tamaño ${percent} %`,
    save: 'Descargar',
    failed: 'No pudimos mostrar el documento aquí.',
    failedHelp: 'Intente de nuevo, o descárguelo para leerlo en su dispositivo.',
    later: 'Podrá ver el documento después de confirmar que es usted.',
    signHere: 'Su firma',
  },
  decline: {
    open: 'No voy a firmar',
    title: '¿Rechazar este documento?',
    lead: (sender: string) =>
      `Si lo rechaza, nadie más podrá firmarlo y ${sender} recibirá el motivo que escriba. No se puede deshacer.`,
    reason: 'Motivo',
    missing: 'Escriba el motivo para que quien envió el documento lo entienda.',
    codeFirst: 'Para rechazar el documento, confirme primero que es usted.',
    confirm: 'Sí, rechazar',
    cancel: 'No, volver',
  },
  notMe: {
    open: 'No soy esa persona',
    title: '¿Este documento no es para usted?',
    lead: 'Si este enlace le llegó por error, díganoslo: avisaremos a quien lo envió y el enlace dejará de servir. El documento no se rechaza.',
    confirm: 'Sí, no es para mí',
    cancel: 'Volver',
    thanks: 'Gracias por avisar',
    stopped: 'Avisamos a quien envió el documento. Este enlace ya no sirve; puede cerrar la página.',
  },
  waiting: {
    title: 'Todavía no es su turno',
    lead: (sender: string, subject: string) =>
      `${sender} le envió «${subject}», pero primero deben firmar otras personas.`,
    help: 'No tiene que hacer nada por ahora. Cuando llegue su turno podrá firmar con este mismo enlace.',
    until: (date: string) => sentence(`El documento puede firmarse hasta el ${date}`),
  },
  signed: {
    now: '¡Listo! Su firma quedó registrada',
    already: 'Usted ya firmó este documento',
    at: (date: string) => sentence(`Firmó el ${date}`),
    others: 'Faltan firmas de otras personas. Cuando todas firmen, aquí podrá descargar el documento sellado.',
    keep: 'Puede cerrar esta página y volver después con este mismo enlace.',
    copy: 'Descargar una copia',
    copyName: 'copia no final',
    copyHelp:
      'Una copia de lo que usted firmó. Dice que no es la final: el documento sellado llega cuando todas las personas firmen.',
  },
  sealing: {
    title: 'Estamos sellando el documento',
    lead: 'Todas las personas firmaron. Ahora reunimos las firmas en un solo archivo y lo sellamos, para que cualquier cambio posterior se note. Suele tardar unos segundos.',
    copyHelp:
      'Una copia de lo que usted firmó. Dice que no es la final: el documento sellado aparecerá aquí al terminar.',
    keep: 'Puede esperar aquí, o cerrar esta página y volver después con este mismo enlace.',
  },
  sealed: {
    title: 'El documento está firmado y sellado',
    lead: 'Descárguelo y guárdelo. Al final incluye un certificado con las firmas, las fechas y las pruebas.',
    download: 'Descargar el documento',
    codeFirst: 'Para ver el documento, confirme primero que es usted.',
    verify: 'Verificar el documento',
    verifyHelp: 'Cualquier persona puede comprobar que el archivo no ha cambiado.',
  },
  failed: {
    title: 'No pudimos sellar el documento',
    lead: (sender: string) =>
      `Su firma quedó registrada, pero el archivo final no se pudo producir. ${sender} ya lo sabe y le dirá qué sigue.`,
  },
  declinedByYou: {
    title: 'Usted rechazó este documento',
    lead: (sender: string) => `${sender} conocerá el motivo que escribió. Este documento ya no se puede firmar.`,
  },
  declinedByOther: {
    title: 'Este documento ya no se puede firmar',
    lead: (sender: string) =>
      `Otra de las personas que debían firmarlo lo rechazó. Si tiene preguntas, ${sender} puede responderlas.`,
  },
  unknown: {
    title: 'Este enlace no funciona',
    lead: 'Puede que haya vencido, que quien envió el documento lo haya cancelado o que la dirección esté incompleta.',
    help: 'Abra el enlace más reciente de su correo, completo. Si sigue sin funcionar, pida uno nuevo a quien le envió el documento.',
    sealed:
      '¿Busca un documento que ya firmó? Los enlaces dejan de servir un tiempo después. Podemos enviarle uno nuevo a su correo.',
    newLink: 'Enviarme un enlace nuevo',
    mailed:
      'Si este era el enlace de un documento que usted firmó, le enviamos uno nuevo al correo al que llegó el primero.',
  },
  unavailable: {
    title: 'Este enlace no está disponible ahora',
    lead: 'Lo que ya hizo se conserva. Intente más tarde o pregunte a quien le envió el documento.',
  },
  offline: {
    title: 'No hay conexión',
    lead: 'No pudimos comunicarnos con el servicio. Revise su internet; lo intentaremos de nuevo en cuanto vuelva.',
  },
  broken: {
    title: 'Algo falló en esta página',
    lead: 'No se perdió nada de lo que ya confirmó. Vuelva a cargarla para seguir donde iba.',
    reload: 'Volver a cargar',
  },
  crowded: {
    title: 'Espere un momento',
    lead: 'Recibimos demasiadas solicitudes seguidas desde su conexión.',
    wait: (seconds: number) => `Volveremos a intentarlo en ${clock(seconds)}.`,
  },
};
