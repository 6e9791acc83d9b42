/** The step in which a signer proves an identity. Nothing here says why a person was not verified. */
export const IDENTITY_ES = {
  title: 'Verifique su identidad',
  lead: (sender: string) =>
    `${sender} pide que verifique su identidad con su documento y una foto de su rostro. Así queda constancia de que firma usted.`,
  documentType: 'Tipo de documento',
  documentTypes: {
    CC: 'Cédula de ciudadanía',
    CE: 'Cédula de extranjería',
    TI: 'Tarjeta de identidad',
    PA: 'Pasaporte',
    PPT: 'Permiso por protección temporal',
  },
  number: 'Número del documento',
  numberHelp: 'No aparecerá en el documento ni en su certificado.',
  country: 'País que lo expidió',
  missing: 'Escriba el número de su documento.',
  malformed: 'Ese número no corresponde a este tipo de documento. Revíselo.',
  submit: 'Continuar',
  privacy:
    'Después de continuar verá un botón que abre la verificación en otra pestaña. En ella autoriza el tratamiento de sus datos y toma las fotos con la cámara, o usa una verificación que guarda en su billetera. Tenga su documento a la mano.',
  preparing: 'Preparando la verificación…',
  ready: 'Ahora abra la verificación',
  readyLead:
    'Todavía no se ha verificado nada: pulse el botón y tome las fotos en la pestaña que se abre. Cuando termine, vuelva a esta.',
  open: 'Abrir la verificación',
  opens: 'Se abre en otra pestaña.',
  waiting: 'Esta página continuará por sí sola cuando termine la verificación.',
  review: 'Estamos revisando la verificación',
  reviewLead:
    'Una persona la revisará; puede tardar. Puede cerrar esta página y volver más tarde con el mismo enlace, en este mismo navegador.',
  verified: 'Identidad verificada.',
  nameMismatch:
    'El nombre del documento no coincide con el nombre que indicó quien le envió este documento para firmar.',
  nameHelp: (sender: string) =>
    `Si usó el documento de otra persona, verifique de nuevo con el suyo. Si su nombre está mal escrito, pida a ${sender} que lo corrija.`,
  notVerified: 'No pudimos verificar su identidad.',
  notVerifiedHelp: (sender: string) => `Puede intentarlo de nuevo. Si tiene preguntas, ${sender} puede responderlas.`,
  expired: 'Se acabó el tiempo de la verificación.',
  expiredHelp: 'Empiece una nueva: no se perdió nada de lo demás.',
  refused: 'Por ahora no es posible verificar su identidad, o no con este documento.',
  refusedHelp: (sender: string) => `Intente con otro documento, o más tarde. ${sender} puede ver qué falta.`,
};
