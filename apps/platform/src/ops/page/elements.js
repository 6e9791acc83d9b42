/** The page is made of these. Text is only ever set as text: what a receiver answered cannot become markup. */

/**
 * An element. `props`: attributes, or `on…` listeners; a false or null one is left out.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} props
 * @param {...(Node | string | number | null | undefined | false | (Node | string)[])} children
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  const given = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  element.append(...given.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

let ids = 0;

/**
 * A labelled control.
 *
 * @param {{ name: string, label: string, hint?: string, type?: string, options?: [value: string, text: string][] }} field
 *   the rest are attributes of the control
 */
export function field({ name, label, hint, type = 'text', options, ...attributes }) {
  const id = `${name}-${++ids}`;
  const described = hint ? { 'aria-describedby': `${id}-hint` } : {};
  const props = { id, name, ...described, ...attributes };
  const control = options
    ? el('select', props, ...options.map(([value, text]) => el('option', { value }, text)))
    : el('input', { type, autocomplete: 'off', spellcheck: 'false', ...props });
  const about = hint ? el('span', { class: 'hint', id: `${id}-hint` }, hint) : null;
  if (type === 'checkbox') return el('div', { class: 'field tick' }, control, el('label', { for: id }, label), about);
  return el('div', { class: 'field' }, el('label', { for: id }, label), about, control);
}

/** What a form says: trimmed texts, true for ticked boxes; what is empty is left out. */
export function valuesOf(form) {
  const values = {};
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (text !== '') values[name] = form.elements[name].type === 'checkbox' ? true : text;
  }
  return values;
}

/**
 * A table that becomes a list of cards on a phone.
 *
 * @param {string} caption
 * @param {{ title: string, of: (row: object) => unknown, wide?: boolean }[]} columns
 */
export function table(caption, columns, rows) {
  const cell = (row, { title, of, wide }) =>
    el('td', { 'data-title': title, class: wide ? 'wide' : null }, of(row) ?? '');
  return el(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' },
    el(
      'table',
      {},
      el('caption', {}, caption),
      el('thead', {}, el('tr', {}, ...columns.map(({ title }) => el('th', { scope: 'col' }, title)))),
      el('tbody', {}, ...rows.map((row) => el('tr', {}, ...columns.map((column) => cell(row, column))))),
    ),
  );
}

/** Names and values of one thing. */
export function facts(pairs) {
  return el(
    'dl',
    { class: 'facts' },
    ...pairs.flatMap(([name, value]) => [
      el('dt', {}, name),
      el('dd', {}, value === null || value === '' ? '–' : value),
    ]),
  );
}

export const button = (text, onclick, props = {}) => el('button', { type: 'button', onclick, ...props }, text);
export const link = (hash, text) => el('a', { href: `#${hash}` }, text);
export const code = (text) => el('code', {}, text);

/** A delivery's or an endpoint's state, told by its word as well as by its colour. */
export const state = (kind, text) => el('span', { class: `state ${kind}` }, text);

/**
 * Asks in a dialog; answers what was filled in, or null when it was left.
 *
 * @returns {Promise<Record<string, string | true> | null>}
 */
export function ask({ title, text, fields = [], confirm, cancel }) {
  return new Promise((resolve) => {
    const heading = el('h2', { id: 'dialog-title' }, title);
    const form = el(
      'form',
      {
        onsubmit: (event) => {
          event.preventDefault();
          answer(valuesOf(form));
        },
      },
      heading,
      text ? el('p', {}, text) : null,
      ...fields.map(field),
      el(
        'div',
        { class: 'actions' },
        el('button', { type: 'submit' }, confirm),
        button(cancel, () => answer(null), { class: 'quiet' }),
      ),
    );
    const dialog = el('dialog', { 'aria-labelledby': 'dialog-title', oncancel: () => answer(null) }, form);
    const answer = (values) => {
      dialog.close();
      dialog.remove();
      resolve(values);
    };
    document.body.append(dialog);
    dialog.showModal();
  });
}
