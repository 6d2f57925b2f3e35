import { ToolError } from '../tool-error.ts';

const maximumShown = 10;

interface Wanted<Item> {
  /** What errors call an item, like `template`. */
  readonly kind: string;
  readonly text: string;
  readonly nameOf: (item: Item) => string;
  /** An item as errors list it, with its id. */
  readonly show: (item: Item) => string;
  /** What to do if nothing is like it. */
  readonly remedy: string;
}

/**
 * The item whose name is the text; case is ignored. Names that only contain the text are suggested, never chosen: what is chosen may be
 * changed next.
 *
 * @throws ToolError if there is none, or if several have the name
 */
export function choose<Item>(items: readonly Item[], { kind, text, nameOf, show, remedy }: Wanted<Item>): Item {
  const wanted = text.trim().toLowerCase();
  const [found, ...others] = items.filter((item) => nameOf(item).toLowerCase() === wanted);
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) {
    throw new ToolError(
      `Several ${kind}s are called "${text}"; use the id of one:`,
      ...shown([found, ...others], show),
    );
  }
  const similar = items.filter((item) => nameOf(item).toLowerCase().includes(wanted));
  if (similar.length === 0) throw new ToolError(`No ${kind} is called "${text}". ${remedy}`);
  throw new ToolError(`No ${kind} is called "${text}". Similar ones, to use by name or id:`, ...shown(similar, show));
}

function shown<Item>(items: readonly Item[], show: (item: Item) => string): string[] {
  const more = items.length > maximumShown ? [`… and ${items.length - maximumShown} more`] : [];
  return [...items.slice(0, maximumShown).map(show), ...more];
}
