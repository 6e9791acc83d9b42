export const BATCH = {
  open: 'Consultar un lote',
  title: 'Lote de consultas',
  lead: (most: string) =>
    `Hasta ${most} sujetos de un archivo. Se revisa completo antes de empezar y corre mientras esta página esté abierta; cada consulta queda en la lista de consultas.`,
  noRules: 'Todavía no hay una validación publicada. Publique una para poder consultar.',
  file: 'Archivo CSV',
  fileHint: 'UTF-8, con encabezado; comas o punto y coma.',
  lines: 'O las líneas',
  linesHint: 'Con el encabezado en la primera línea. Se usan si no hay archivo.',
  columns: 'Columnas; solo subject_ref es obligatoria:',
  check: 'Revisar',
  faults: (count: number, shown: string) =>
    count === 1 ? 'Hay un error. No se consultó a nadie.' : `Hay ${shown} errores. No se consultó a nadie.`,
  faultsShown: (most: string) => `Abajo están los primeros ${most}.`,
  faultsTitle: 'Errores por línea',
  line: 'Línea',
  fault: 'Error',
  faultOf: {
    not_utf8: () =>
      'El archivo no está en UTF-8: se leerían mal las tildes y la ñ. En Excel, guárdelo como «CSV UTF-8».',
    letters: () =>
      'Se perdieron letras (�) antes de llegar aquí. Copie otra vez las líneas, o guárdelas como «CSV UTF-8».',
    unclosed: () => 'Las comillas no se cierran, o sigue texto después de ellas.',
    unknown_column: (what: string) => `No hay una columna «${what}».`,
    no_reference_column: () => 'Falta la columna subject_ref.',
    empty: () => 'No hay líneas debajo del encabezado.',
    too_many_rows: (what: string) => `Son ${what} líneas. Divida el archivo.`,
    cells: (what: string) => `Celdas en la línea: ${what}. El encabezado tiene otra cantidad.`,
    subject_ref: () => 'Falta la referencia, o tiene más de 200 caracteres.',
    subject_type: (what: string) => `«${what}» no es natural (persona) ni legal (organización).`,
    birth_date: (what: string) => `«${what}» no es una fecha como 1980-12-31.`,
    document_type: (what: string) => `«${what}» no es CC, CE, TI, PA, PPT ni NIT.`,
    country_code: (what: string) => `«${what}» no es un país de dos letras, como CO.`,
    amount: (what: string) =>
      `«${what}» no es un monto como 1200000.50: sin separador de miles, y con punto antes de los centavos.`,
    currency: (what: string) => `«${what}» no es una moneda de tres letras, como COP.`,
  },
  ready: (count: number, credits: string, each: string) =>
    `${count === 1 ? 'Un sujeto está listo' : `${count} sujetos están listos`}. Cuesta hasta ${credits} créditos: ${each} por cada resultado.`,
  progress: (screened: string, all: string, refused: number) => {
    const also = refused === 1 ? '; uno no se pudo consultar' : `; ${refused} no se pudieron consultar`;
    return `${screened} de ${all} consultados${refused === 0 ? '' : also}.`;
  },
  next: { ready: 'Empezar', running: 'Pausar', pausing: 'Pausando…', stopped: 'Continuar' },
  save: 'Descargar los resultados',
  another: 'Otro lote',
  result: 'Resultado',
  waiting: 'En espera',
  show: 'Ver (pestaña nueva)',
  showCase: 'Ver el caso (pestaña nueva)',
  leave: {
    title: 'El lote no ha terminado',
    lead: 'Si lo deja, se detiene. Lo ya consultado queda guardado, pero no se podrá continuar: si carga otra vez el archivo, lo ya consultado se consulta y se cobra de nuevo.',
    go: 'Dejar el lote',
  },
};
