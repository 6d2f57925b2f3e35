import type { Option } from 'commander';
import { viewVisibilities } from '../../generated/values.ts';
import { choice } from '../../options.ts';

/** Who sees a view, as the option of {@link visibilityOption} takes it. */
export type Visibility = (typeof viewVisibilities)[number];

/** `--visibility`. */
export function visibilityOption(description: string): Option {
  return choice('--visibility <visibility>', description, viewVisibilities);
}
