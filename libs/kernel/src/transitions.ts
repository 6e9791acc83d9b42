/** One row of a state machine's table: what is not in the table does not happen. */
export interface Transition<Status extends string, Action extends string> {
  from: Status;
  action: Action;
  to: Status;
}

/** The row of a table that an action takes in a state; undefined: there is none. */
export function transitionIn<Status extends string, Action extends string, Row extends Transition<Status, Action>>(
  table: readonly Row[],
  from: Status,
  action: Action,
): Row | undefined {
  return table.find((transition) => transition.from === from && transition.action === action);
}

/** The actions that a table knows in a state, in its order. */
export function actionsIn<Status extends string, Action extends string>(
  table: readonly Transition<Status, Action>[],
  from: Status,
): Action[] {
  return table.filter((transition) => transition.from === from).map(({ action }) => action);
}
