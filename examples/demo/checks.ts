/** The expectations of the demo that were not met. */
export interface Checks {
  /** Records `failure` unless `holds` is true. */
  expect(holds: boolean, failure: string): void;
  readonly failures: readonly string[];
}

/** Creates an empty list of failures. */
export function createChecks(): Checks {
  const failures: string[] = [];
  return {
    failures,
    expect: (holds, failure) => {
      if (!holds) failures.push(failure);
    },
  };
}
