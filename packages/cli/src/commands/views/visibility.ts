import { viewVisibilities } from '../../generated/values.ts';
import { Option } from 'commander';
import { oneOf } from '../../options.ts';

/** Who sees a view, as the option of {@link visibilityOption} takes it. */
export type Visibility = (typeof viewVisibilities)[number];

/** `--visibility`. */
export function visibilityOption(description: string): Option {
  return new Option('--visibility <visibility>', description)
    .choices(viewVisibilities)
    .argParser(oneOf(viewVisibilities));
}
