import { SPANISH as COMMON } from '../../batches/text/spanish.ts';
import type { components } from '@constancia/sdk/generated/signing';

export const SPANISH = {
  batch: {
    ...COMMON,
    open: 'Enviar un lote',
    title: 'Enviar un lote de sobres',
    lead: 'Hasta 10.000 sobres de un archivo, uno por fila. Se revisa completo antes de empezar y sin costo; después se envían aunque cierre esta página.',
    sample: 'Descargar un archivo de ejemplo',
    sampleName: 'sobres-ejemplo',
    guide: {
      title: 'Columnas del archivo',
      lead: 'La primera línea nombra las columnas, en cualquier orden. Lo que cambia de fila a fila, como los valores de los campos, tiene su propia columna. Una celda vacía se omite.',
      what: 'Qué es',
      needed: 'Obligatoria',
      example: 'Ejemplo',
      members: {
        email: 'correo electrónico',
        name: 'nombre',
        phone: 'número de celular, con el indicativo del país',
        access_code: 'código de acceso, de 4 a 64 caracteres, que usted le entrega',
      },
      own: 'un valor suyo; los firmantes lo ven y no lo pueden cambiar.',
      prefills: (role: string) => `diligenciado de antemano para ${role}.`,
      forms: {
        checkbox: 'true (marcada) o false (sin marcar).',
        date: 'Como AAAA-MM-DD.',
      } as Partial<Record<components['schemas']['CircuitFieldView']['type'], string>>,
      options: {
        external_ref: 'una referencia suya',
        subject: 'asunto de los correos',
        message: 'texto de los correos',
        locale: 'idioma de los correos: es-CO o en',
        expires_in_days: 'días hasta que vence el sobre',
        notify: 'false: no se envían correos a los firmantes',
        'reminders.after_days': 'días hasta que se recuerda a los firmantes',
      },
    },
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
