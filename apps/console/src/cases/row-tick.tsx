interface RowTickProps {
  /** What is chosen, in the words of a person who does not see the row. */
  label: string;
  ticked: boolean;
  onTick: (ticked: boolean) => void;
}

/** Chooses a row of a list. */
export const RowTick = ({ label, ticked, onTick }: RowTickProps) => (
  <label className="row-tick">
    <input type="checkbox" aria-label={label} checked={ticked} onChange={(event) => onTick(event.target.checked)} />
  </label>
);
