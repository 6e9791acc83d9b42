/** What a page says of being in a frame, in each language. */
export const FRAME_TEXTS = {
  'es-CO': {
    alone: {
      title: 'Ábrala en el sitio web',
      lead: 'Esta página es parte de un sitio web. Ábrala allí, no por separado.',
    },
    already_open: {
      title: 'Está abierta en otro lugar',
      lead: 'Otra ventana ya la inició, o esta página se volvió a cargar. Vuelva al sitio web y empiece de nuevo.',
    },
    origin_not_allowed: {
      title: 'Este sitio web no puede mostrar esta página',
      lead: 'Avise a la entidad que lo envió aquí.',
    },
    ended: {
      title: 'Esta página ya no está disponible',
      lead: 'Vuelva al sitio web y empiece de nuevo.',
    },
    close: 'Cerrar',
  },
  en: {
    alone: { title: 'Open it on the website', lead: 'This page is part of a website. Open it there, not by itself.' },
    already_open: {
      title: 'This is open somewhere else',
      lead: 'Another window has started it, or this page was loaded again. Go back to the website and start again.',
    },
    origin_not_allowed: {
      title: 'This website may not show this page',
      lead: 'Tell the company that sent you here.',
    },
    ended: {
      title: 'This page is no longer available',
      lead: 'Go back to the website and start again.',
    },
    close: 'Close',
  },
};
