import { FRAME_TEXTS } from '@constancia/web/frame-texts';
import { SPANISH as WALLET } from '../../wallet/text/spanish.ts';

export const SPANISH = {
  page: {
    name: 'Solicitud de sus datos',
    skip: 'Ir al contenido',
    required: 'obligatorio',
    from: 'Solicitud de',
    optional: 'opcional',
  },
  broken: {
    title: 'La página falló',
    lead: 'Vuelva a cargarla. Nada se entrega sin que usted lo autorice.',
    reload: 'Volver a cargar',
  },
  loading: 'Cargando…',
  again: 'Intentar de nuevo',
  lost: 'No hay conexión o el servidor no responde. Intente de nuevo.',
  tooMany: (minutes: number) =>
    minutes === 1
      ? 'Demasiados intentos. Espere un minuto e intente de nuevo.'
      : `Demasiados intentos. Espere ${minutes} minutos e intente de nuevo.`,
  refused: 'No se pudo hacer. Vuelva a cargar la página e intente de nuevo.',
  gone: {
    title: 'Este enlace no sirve',
    lead: 'Ya se usó, venció o nunca existió. Si una empresa le pidió sus datos, pídale que envíe otra solicitud.',
  },
  request: {
    title: (tenant: string) => `${tenant} pide sus datos`,
    purpose: 'Para qué',
    careful: (tenant: string) =>
      `Siga solo si está haciendo un trámite con ${tenant}. Nada se entrega sin que usted lo autorice.`,
    claims: 'Qué pide',
    ends: (time: string) => `Vence a las ${time}`,
  },
  identify: {
    title: 'Compruebe que es usted',
    registered: 'Enviamos un código al correo con el que usted ingresa a su billetera.',
    asked: 'Escriba el correo con el que ingresa a su billetera de identidad. Le enviamos un código.',
    address: 'Su correo electrónico',
    addressFault: 'Escriba un correo electrónico, como nombre@correo.com.',
    send: 'Enviar el código',
    passkey: 'Usar una llave de acceso',
  },
  code: {
    title: 'Escriba el código',
    sent: 'Si hay una billetera para esta solicitud, le enviamos un código de seis dígitos a su correo. Sirve durante diez minutos.',
    code: 'Código',
    help: 'Nadie de Constancia se lo pedirá. No lo entregue a nadie.',
    fault: 'Escriba los seis dígitos del código.',
    wrong: 'El código no es correcto o ya venció. Después de cinco errores el enlace deja de servir.',
    submit: 'Continuar',
    again: 'Enviar otro código',
    againIn: (seconds: number) => `Otro código en ${seconds} s`,
    other: 'Volver',
  },
  passkey: {
    refused: 'La llave de acceso no se aceptó. Intente de nuevo, o use un código.',
    cancelled: 'No se usó ninguna llave de acceso: se canceló o se agotó el tiempo.',
    unsupported: 'Este navegador o dispositivo no puede usar llaves de acceso aquí.',
    known: 'Este dispositivo no puede usar esa llave de acceso.',
  },
  decide: {
    title: (tenant: string) => `¿Entregar sus datos a ${tenant}?`,
    always: 'Datos que se entregan',
    choose: 'Usted elige si también se entrega',
    absent: 'no está en su billetera',
    yours: 'Su verificación',
    verification: 'Qué se comprobó',
    verifiedAt: 'Verificada el',
    verifiedFor: 'Verificada para',
    onlyYou: (tenant: string) => `${tenant} no ve para quién se verificó.`,
    keeps: (tenant: string) =>
      `${tenant} decide cuánto tiempo conserva los datos, y responde por ellos: pregúntele. Usted puede retirar la autorización en su billetera.`,
    text: 'Lo que usted autoriza',
    otherLanguage: 'Este texto está en inglés.',
    approve: 'Autorizar y entregar',
    obstacles: {
      other_person: 'La solicitud es sobre otro documento. No puede responderse con su billetera.',
      too_old: 'Su verificación es más antigua de lo que la empresa acepta. Tiene que verificarse de nuevo con ella.',
      missing: 'Su verificación no tiene todo lo que la empresa pide. Tiene que verificarse de nuevo con ella.',
    },
  },
  decline: {
    open: 'No entregar',
    title: 'No entregar sus datos',
    lead: 'La solicitud termina y no se entrega nada.',
    tell: (tenant: string) => `Decirle a ${tenant} que usted dijo que no`,
    ifUnticked: (tenant: string) => `Si no lo marca, ${tenant} solo ve que la solicitud venció.`,
    submit: 'Terminar sin entregar',
    cancel: 'Volver a la solicitud',
  },
  report: {
    open: 'Denunciar un abuso',
    title: 'Denunciar esta solicitud',
    lead: (tenant: string) =>
      `Si no tiene trato con ${tenant}, o le parece un engaño: la solicitud termina, no se entrega nada, y una persona de Constancia revisa quién la hizo. ${tenant} no se entera de la denuncia.`,
    submit: 'Denunciar',
  },
  end: {
    approved: 'Datos entregados',
    approvedLead: (tenant: string) =>
      `${tenant} recibió lo que usted autorizó. El comprobante está en su billetera, donde puede retirar la autorización.`,
    declined: 'No se entregó nada',
    declinedLead: 'La solicitud terminó. Puede cerrar esta página.',
    reported: 'Gracias por avisar',
    reportedLead: 'La solicitud terminó y no se entregó nada. Vamos a revisar quién la hizo.',
    back: (tenant: string) => `Volver a ${tenant}`,
    capture: 'Volver a la verificación',
    wallet: 'Ir a mi billetera',
  },
  embed: FRAME_TEXTS['es-CO'],
  levels: WALLET.levels,
  documents: WALLET.documents,
};
