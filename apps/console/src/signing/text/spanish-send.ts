import { PRICE } from '@constancia/contracts/prices';

export const SPANISH = {
  send: {
    title: 'Enviar a firmar',
    lead: `Cada sobre cuesta ${PRICE.envelope} créditos. Las personas reciben su enlace por correo cuando les toca firmar.`,
    circuit: 'Circuito',
    choose: 'Elija uno',
    circuitExplained:
      'Un circuito es un documento con los lugares donde firma cada persona: se crea una vez y se envía tantas veces como haga falta.',
    newCircuit: 'Nuevo circuito desde un PDF',
    noCircuits: 'Aún no hay circuitos publicados. Publique uno para enviarlo.',
    toCircuits: 'Ver los circuitos',
    notPublished: {
      draft: 'Este circuito es un borrador: publíquelo para enviarlo.',
      deprecated: 'Otra versión reemplazó este circuito: elija la versión publicada.',
    },
    seeCircuit: 'Ver este circuito',
    mode: 'A quién',
    one: 'A una persona por rol',
    many: 'A muchas: un sobre por fila',
    email: 'Correo',
    phone: 'Celular',
    phoneHint: 'Con el indicativo del país: +57 300 123 4567. Sin indicativo se toma como de Colombia.',
    personName: 'Nombre',
    accessCode: 'Clave de acceso',
    accessCodeHint: 'De 4 a 64 caracteres. Désela usted por otro medio que el correo.',
    subject: 'Asunto',
    subjectHint: 'Lo que leen como título. Vacío: el nombre del circuito.',
    message: 'Mensaje',
    days: 'Días para firmar',
    language: 'Idioma de los correos',
    languages: { 'es-CO': 'Español', en: 'Inglés' },
    submit: 'Enviar',
    sent: 'El sobre se envió.',
    table: 'Personas',
    tableHint: (columns: string, most: string) =>
      `Pegue filas de una hoja de cálculo, o un CSV, con títulos en la primera fila: ${columns}. Hasta ${most} filas.`,
    file: 'O elija un archivo CSV',
    unreadableFile: 'El archivo no está en UTF-8. En Excel, guárdelo como «CSV UTF-8» y elíjalo otra vez.',
    check: 'Revisar',
    row: 'Fila',
    result: 'Resultado',
    fine: 'En orden',
    checked: (fine: string, wrong: string) =>
      `${fine} ${fine === '1' ? 'fila' : 'filas'} en orden, ${wrong} por corregir.`,
    confirmed: 'Revisé las advertencias de la tabla: se envía así.',
    sendMany: (count: string, credits: string) =>
      `Enviar ${count} ${count === '1' ? 'sobre' : 'sobres'} por ${credits} créditos`,
    pause: 'Pausar',
    again: 'Enviar lo que falta',
    open: 'Deje esta página abierta hasta terminar. Si se interrumpe, puede enviar la misma tabla otra vez durante 24 horas: nada se envía ni se cobra dos veces.',
    leave: {
      title: 'El envío no ha terminado',
      lead: 'Si sale de esta página se detiene, y lo que falta no se envía.',
      go: 'Salir',
    },
    progress: (sent: string, all: string) => `${sent} de ${all} enviados.`,
    allSent: 'Todo se envió.',
    sentBefore: (count: string) =>
      count === '1'
        ? 'Un sobre igual ya se había enviado en las últimas 24 horas: no se envió ni se cobró otra vez.'
        : `${count} sobres iguales ya se habían enviado en las últimas 24 horas: no se enviaron ni se cobraron otra vez.`,
    otherCode: 'Ya se había enviado en las últimas 24 horas con otra clave de acceso: no se envió otra vez.',
    seeEarlier: 'Ver el sobre enviado',
    repeat: 'Enviar otra vez de todos modos',
    next: 'Corregir lo que no se envió',
    another: 'Hacer otro envío',
    toEnvelopes: 'Ver los sobres',
    states: {
      waiting: 'Por enviar',
      sending: 'Enviando…',
      sent: 'Enviado',
      before: 'Ya se había enviado',
      unknown: 'Sin respuesta',
    },
    noRows: 'Pegue al menos una fila debajo de los títulos.',
    tooMany: (most: string) => `Son más de ${most} filas: repártalas en varios envíos.`,
    tableFaults: {
      missing: (columns: string) => `Faltan columnas: ${columns}.`,
      unknown: (columns: string) => `Estas columnas no se conocen: ${columns}. Cambie su título o quítelas.`,
      repeated: (columns: string) => `Estas columnas están más de una vez: ${columns}.`,
      unclosed: (line: string) =>
        `En la línea ${line} se abre una comilla que no se cierra, o sigue texto después de ella.`,
      letters: (line: string) =>
        `La tabla perdió letras (�) antes de llegar aquí; la primera, en la línea ${line}. Cópiela otra vez, o guárdela como «CSV UTF-8».`,
    },
    faults: {
      email: 'el correo no es válido',
      phone: 'el celular no es válido: +57 300 123 4567',
      name: 'faltan nombre y apellido, que se comparan con el documento',
      longName: 'el nombre tiene más de 120 caracteres',
      accessCode: 'la clave de acceso debe tener de 4 a 64 caracteres',
      subject: 'el asunto tiene más de 150 caracteres',
      twice: 'la fila está repetida',
      cells: 'no tiene tantas celdas como la fila de títulos',
    },
    warnings: {
      again: 'estos correos ya están en una fila anterior: son dos sobres',
      sameAddress: 'el mismo correo está en dos roles',
    },
  },
};
