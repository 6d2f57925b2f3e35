/** The way to a value inside a body: keys of objects and indexes of arrays. */
export type Way = readonly (string | number)[];

/** A value inside a body, with the way to it. The body itself has an empty way. */
export interface Node {
  readonly way: Way;
  readonly value: unknown;
}

/** Every value inside a body, the body itself included. Of an array only the first item is followed. */
export function nodesOf(value: unknown, way: Way = []): Node[] {
  const own = { way, value };
  if (Array.isArray(value)) return [own, ...(value.length > 0 ? nodesOf(value[0], [...way, 0]) : [])];
  if (!isPlainObject(value)) return [own];
  return [own, ...Object.entries(value).flatMap(([key, each]) => nodesOf(each, [...way, key]))];
}

/** A copy of a body with the value at a place changed; undefined removes the key or the item. */
export function replaced(body: unknown, [step, ...rest]: Way, change: (own: unknown) => unknown): unknown {
  if (step === undefined) return change(body);
  if (Array.isArray(body)) {
    const items = body.map((item, index) => (index === step ? replaced(item, rest, change) : item));
    return items.filter((item) => item !== undefined);
  }
  const { [step]: before, ...others } = body as Record<string, unknown>;
  const after = replaced(before, rest, change);
  return after === undefined ? others : { ...others, [step]: after };
}

/** A way as messages of the service write it: `values[0].runTaskFieldId`. */
export function nameOf(way: Way): string {
  return way.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}

/** Whether a value is an object with keys of its own, not an array, a file or null. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
