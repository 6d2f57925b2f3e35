/** What the demo promised and did not keep. */
export interface Checks {
  /** Notes `otherwise` as a failure unless `holds`. */
  expect(holds: boolean, otherwise: string): void;
  readonly failures: readonly string[];
}

/** An empty list of failures. */
export function createChecks(): Checks {
  const failures: string[] = [];
  return {
    failures,
    expect: (holds, otherwise) => {
      if (!holds) failures.push(otherwise);
    },
  };
}
