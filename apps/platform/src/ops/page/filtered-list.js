import { get } from './api.js';
import { button, el, table, valuesOf } from './elements.js';
import { isRefresh } from './looking.js';
import { t } from './words.js';

/**
 * A list with its filter, page by page. A filter survives going to one row and back.
 *
 * @param {{
 *   path: string,
 *   title: () => string,
 *   columns: () => Parameters<typeof table>[1],
 *   controls: () => Node[],
 *   queryOf?: (filter: Record<string, string | true>) => object,
 * }} list `controls`: the filter's, and whatever stands behind its button; `queryOf`: what is asked for, the filter as it is if left out
 * @returns {() => Promise<Node[]>} draws it: the filter, then the rows
 */
export function filteredList({ path, title, columns, controls, queryOf = (filter) => filter }) {
  let kept = {};
  let page;
  return async () => {
    if (!isRefresh()) page = undefined;
    const list = el('div');
    const find = async (cursor) => {
      page = cursor;
      const { data, next_cursor: next } = await get(path, { ...queryOf(kept), cursor });
      const more = next && button(t('more'), () => find(next), { class: 'quiet' });
      const rows = data.length > 0 ? table(title(), columns(), data) : el('p', {}, t('none'));
      list.replaceChildren(rows, el('div', { class: 'actions' }, more));
    };
    const onsubmit = (event) => {
      event.preventDefault();
      kept = valuesOf(form);
      void find();
    };
    const form = el('form', { class: 'filter', role: 'search', onsubmit }, ...controls());
    for (const [name, value] of Object.entries(kept)) form.elements[name].value = value;
    await find(page);
    return form.childElementCount > 0 ? [form, list] : [list];
  };
}
