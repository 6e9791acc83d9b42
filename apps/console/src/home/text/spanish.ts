export const SPANISH = {
  title: 'Inicio',
  credits: { title: 'Créditos', available: 'Disponibles', held: 'Apartados para trabajo en curso' },
  cases: {
    title: 'Casos',
    statuses: {
      open: 'Abiertos',
      in_review: 'En revisión',
      escalated: 'Escalados',
      pending_approval: 'Esperan a una segunda persona',
    },
    next: 'Vencidos más recientes',
    all: 'Ver todos los casos',
  },
  envelopes: {
    title: 'Sobres',
    none: 'Ningún sobre espera firmas.',
    oldest: 'Los que más llevan esperando firmas',
    untitled: 'Sin asunto',
    progress: (signed: string, all: string, expiry: string) => `${signed} de ${all} firmas · vence ${expiry}`,
    all: 'Ver todos los que esperan',
  },
  webhooks: {
    title: 'Webhooks',
    well: 'Todos los destinos reciben sus eventos.',
    none: 'Todavía no hay destinos: sus sistemas no se enteran de lo que ocurre.',
    broken: 'Destinos que no reciben',
    failures: (count: string) => `${count} intentos fallidos seguidos`,
    failed: 'Últimas entregas fallidas',
    all: 'Ver todas las fallidas',
  },
  nothing: 'No hay nada pendiente para su rol.',
};
