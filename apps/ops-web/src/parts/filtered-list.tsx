import type { OpsRequest, Page, Query } from '@constancia/operations';
import { Button, Field, type FieldProps, Form, Table, type TableColumn, type Values } from '@constancia/web';
import { type ReactNode, useState } from 'react';
import { useText } from '../text/language.ts';
import { Loaded } from './loaded.tsx';

interface FilteredListProps<Row> {
  title: string;
  columns: readonly TableColumn<Row>[];
  keyOf: (row: Row) => string;
  request: (query: Query) => OpsRequest<Page<Row>>;
  /** The fields of the filter; without any, there is none. */
  fields?: readonly FieldProps[];
  /** What is asked for; the filter as it is when left out. */
  queryOf?: (filter: Values) => Query;
  /** Stands between the filter and the rows. */
  children?: ReactNode;
}

/** The last filter of each list: it survives going to one row and back. */
const lastFilters = new Map<string, Values>();

/** A list with its filter, page by page. */
export function FilteredList<Row>(props: FilteredListProps<Row>) {
  const { title, columns, keyOf, request, fields = [], queryOf = (filter) => filter, children } = props;
  const { text } = useText();
  const { path } = request({});
  const [filter, setFilter] = useState<Values>(() => lastFilters.get(path) ?? {});
  const [cursor, setCursor] = useState<string>();
  const search = (values: Values): void => {
    lastFilters.set(path, values);
    setFilter(values);
    setCursor(undefined);
  };
  return (
    <>
      {fields.length > 0 && (
        <Form look="filter" search submit={text.filter} onValues={search}>
          {fields.map((field) => (
            <Field key={field.name} {...field} defaultValue={filter[field.name]} />
          ))}
        </Form>
      )}
      {children}
      <Loaded request={request({ ...queryOf(filter), cursor })}>
        {({ data, next_cursor: next }) => (
          <>
            {data.length > 0 ? (
              <Table caption={title} columns={columns} rows={data} keyOf={keyOf} />
            ) : (
              <p>{text.none}</p>
            )}
            {next !== null && (
              <div className="actions">
                <Button onPress={() => setCursor(next)}>{text.more}</Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
