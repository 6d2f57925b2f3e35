import { z } from 'zod';

/** An object without other properties than these, as a component of the OpenAPI document. */
export function component<Shape extends z.core.$ZodShape>(id: string, description: string, shape: Shape) {
  return z.strictObject(shape).meta({ id, description });
}
