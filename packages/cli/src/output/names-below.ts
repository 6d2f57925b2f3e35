import { contract, recordOf, type Group } from '@runward/contract';
import { z } from 'zod';

type Schema = z.core.JSONSchema.JSONSchema;
type Names = readonly string[] | null;

/**
 * Looks up the names that the contract knows below a path of a model, like `['tasks']` of `Run`. Null if any name may
 * stand there: its names are data, or the model does not have the path.
 */
export function namesBelow(model: string): (path: readonly string[]) => Names {
  const schema = schemaOf(model);
  if (!schema) return () => null;
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const optionsOf = (part: Schema | boolean): Schema[] => {
    if (typeof part === 'boolean') return [{}];
    if (part.$ref !== undefined) return optionsOf(whole.$defs?.[part.$ref.replace('#/$defs/', '')] ?? {});
    const options = part.anyOf ?? part.oneOf ?? (part.items === undefined ? undefined : [part.items].flat());
    return options ? options.flatMap(optionsOf) : [part];
  };
  return (path) => {
    let found = optionsOf(whole);
    for (const name of path) {
      found = found.flatMap((each) => (isOpen(each) ? [each] : optionsOf(each.properties?.[name] ?? { enum: [] })));
    }
    if (found.some(isOpen)) return null;
    return [...new Set(found.flatMap(({ properties = {} }) => Object.keys(properties)))];
  };
}

/** Whether an object may have any names, or nothing is said about a value. */
function isOpen({ type, additionalProperties, ...others }: Schema): boolean {
  if (additionalProperties) return true;
  return type === undefined && others.enum === undefined && !('const' in others);
}

function schemaOf(model: string): z.ZodType | undefined {
  const endpoints = Object.values<Group>({ ...contract }).flatMap((group) => Object.values(group));
  const tasks = contract.runs.get.response.shape.tasks.element;
  return [tasks, ...endpoints.map(recordOf)].find((schema) => schema?.meta()?.id === model);
}
