/** What stack.json says of where the hosts are. */
export interface CheckedStack {
  base_url: string;
  compliance_url: string;
  signing_url: string;
}

/** The smoke test; each step is reported as it passes. Throws with one sentence about the first step that does not hold. */
export function check(
  stack: CheckedStack,
  step: <T>(what: string, work: () => Promise<T>) => Promise<T>,
): Promise<void>;
