import { SPANISH as COMMON } from '../../batches/text/spanish.ts';

export const SPANISH = {
  batch: {
    ...COMMON,
    open: 'Enviar un lote',
    title: 'Enviar un lote de sobres',
    lead: 'Hasta 10.000 sobres de un archivo, uno por fila. Se revisa completo antes de empezar y sin costo; después se envían aunque cierre esta página.',
    columns: 'Columnas; el correo de cada firmante es obligatorio:',
    faults: (count: number, shown: string) =>
      count === 1 ? 'Hay un error. No se envió nada.' : `Hay ${shown} errores. No se envió nada.`,
    ready: (count: number, credits: string, each: string) =>
      `${count === 1 ? 'Un sobre está listo' : `${count} sobres están listos`}. Cuesta ${credits} créditos: ${each} por cada uno.`,
    list: 'Lotes de sobres',
    listLead: 'Archivos de sobres que se enviaron o se envían, los más recientes primero.',
    one: 'Lote de sobres',
    oneLead: 'Sigue aunque cierre esta página. Cada sobre queda también en la lista de sobres.',
    reasons: {
      ...COMMON.reasons,
      mail_limit:
        'Se enviaron los correos que la cuenta de prueba puede enviar en 24 horas: sigue por sí solo cuando pueda.',
    },
    done: 'Filas hechas',
    skipped: 'Filas sin sobre (vea los resultados)',
    cancelLead: 'Los sobres ya enviados quedan enviados y cobrados; los demás no se envían.',
    more: '¿Más de 500 filas? Envíe un lote: sigue aunque cierre la página.',
  },
};
