import { SPANISH } from '../../batches/text/spanish.ts';

export const BATCH = {
  ...SPANISH,
  open: 'Consultar un lote',
  title: 'Consultar un lote',
  lead: 'Hasta 100.000 sujetos de un archivo. Se revisa completo antes de empezar y sin costo; después corre aunque cierre esta página.',
  noRules: 'Todavía no hay una validación publicada. Publique una para poder consultar.',
  columns: 'Columnas; solo subject_ref es obligatoria:',
  faults: (count: number, shown: string) =>
    count === 1 ? 'Hay un error. No se consultó a nadie.' : `Hay ${shown} errores. No se consultó a nadie.`,
  ready: (count: number, credits: string, each: string) =>
    `${count === 1 ? 'Un sujeto está listo' : `${count} sujetos están listos`}. Cuesta ${credits} créditos: ${each} por cada uno.`,
  list: 'Lotes de consultas',
  listLead: 'Archivos de sujetos que se consultaron o se consultan, los más recientes primero.',
  one: 'Lote de consultas',
  oneLead: 'Sigue aunque cierre esta página. Cada consulta queda también en la lista de consultas.',
  reasons: {
    ...SPANISH.reasons,
    no_published_validation: 'Su validación no está publicada: publíquela.',
    lists_unavailable: 'Las listas no están disponibles: se intenta otra vez.',
  },
  done: 'Consultados',
  skipped: 'Omitidos, porque se suprimió al sujeto',
  cancelLead: 'Lo ya consultado queda guardado y cobrado; los demás no se consultan.',
};
