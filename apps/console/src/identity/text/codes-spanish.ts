type Texts = Readonly<Record<string, string>>;

/** Why a picture has to be taken again, a person decides, or a session failed: by the stable word of the API. */
const reasons: Texts = {
  unreadable: 'El documento no se pudo leer.',
  blurred: 'La imagen está borrosa.',
  glare: 'La imagen tiene reflejos.',
  too_small: 'La imagen es muy pequeña.',
  too_dark: 'La imagen es muy oscura.',
  not_an_image: 'El archivo no es una imagen.',
  wrong_side: 'Es el otro lado del documento.',
  document_mismatch: 'El documento no es el que se anunció.',
  document_expired: 'El documento venció.',
  name_unconfirmed: 'El nombre no se leyó igual en dos lugares del documento.',
  sources_disagree: 'El documento dice cosas distintas en dos lugares.',
  check_digit: 'Un dígito de control del documento no corresponde.',
  doubtful_number: 'El número del documento se leyó con dudas.',
  doubtful_date: 'Una fecha del documento se leyó con dudas.',
  no_portrait: 'No se encontró el retrato del documento.',
  no_face: 'No se encontró un rostro.',
  two_faces: 'Hay más de un rostro.',
  other_person: 'El rostro es de otra persona.',
  doubtful_likeness: 'El parecido del rostro con el documento es dudoso.',
  portrait_copy: 'La selfie es una copia del retrato del documento.',
  spoof_suspected: 'Puede ser una imagen de una imagen, y no una persona ante la cámara.',
  liveness_undetermined: 'No se supo si había una persona ante la cámara.',
  person_changed: 'La persona cambió durante la captura.',
  wrong_direction: 'La cabeza giró hacia otro lado.',
  pose_not_taken: 'Faltó un giro de la cabeza.',
  same_picture_twice: 'Se envió la misma imagen dos veces.',
  challenge_expired: 'Las imágenes llegaron tarde.',
  challenge_too_fast: 'Las imágenes llegaron más rápido de lo que alguien gira la cabeza.',
  sarlaft: 'La consulta en listas la rechazó.',
  sandbox: 'Un número de documento de prueba lo pide.',
  manual_review: 'Una persona la rechazó.',
  too_many_attempts: 'Se agotaron los intentos.',
  expired: 'Pasaron 24 horas sin terminar.',
  erased: 'La persona se borró.',
  cancelled: 'Se canceló.',
  engine_failure: 'El motor falló; no se cobró nada.',
  deadline: 'El motor tardó demasiado; no se cobró nada.',
  no_published_validation: 'Falta publicar la validación que el paso nombra.',
  rejected: 'Se rechazó.',
};

const fields: Texts = {
  document_number: 'Número',
  surnames: 'Apellidos',
  given_names: 'Nombres',
  birth_date: 'Nacimiento',
  sex: 'Sexo',
  expiry_date: 'Vence',
  nationality: 'Nacionalidad',
  issuing_country: 'País',
};

const sources: Texts = {
  pdf417: 'código de barras',
  mrz: 'zona de lectura mecánica',
  front: 'texto impreso',
  sandbox: 'dato de prueba',
};

const kinds: Texts = {
  cc_yellow: 'Cédula amarilla',
  cc_digital: 'Cédula digital',
  passport: 'Pasaporte',
  ti: 'Tarjeta de identidad',
  ce: 'Cédula de extranjería',
  ppt: 'Permiso por protección temporal',
};

/** What an erasure destroys or keeps. */
const erasable: Texts = {
  answers: 'respuestas de las sesiones',
  pictures: 'imágenes',
  session_tokens: 'accesos a las sesiones',
  stored_responses: 'respuestas guardadas',
  record: 'registro de la persona',
  email: 'correo',
  phone: 'teléfono',
  document_number: 'número de documento',
  full_name: 'nombre',
  birth_date: 'fecha de nacimiento',
  consent_evidence: 'prueba del consentimiento',
  audit_trail: 'rastro de auditoría',
  screenings: 'consultas en listas',
  cases: 'casos',
  monitoring: 'seguimiento',
  dismissed_hits: 'coincidencias descartadas',
  stored_answers: 'respuestas guardadas',
  merge_data: 'datos de los documentos',
  signers: 'firmantes',
  sealed_documents: 'documentos sellados',
  envelope_trails: 'rastros de los sobres',
};

/** Why a module keeps something; `held`: identity, while the tenant’s legal hold lasts. */
const bases = {
  identity: 'Prueba del consentimiento (Ley 1581 de 2012, artículo 9), sin datos personales.',
  held: 'Su deber legal de conservar registros, y prueba del consentimiento (Ley 1581 de 2012, artículo 9).',
  compliance:
    'SARLAFT: los documentos de debida diligencia se conservan cinco años desde el fin de la relación, o lo que fijó la entidad.',
  signing:
    'Ley 527 de 1999 y Decreto 2364 de 2012: los documentos firmados y los rastros de los sobres son prueba de sus partes.',
};

/** In words, by the codes of the API; a code that is not here is shown as it is. */
export const CODES_IN_SPANISH = { reasons, fields, sources, kinds, erasable, bases };
