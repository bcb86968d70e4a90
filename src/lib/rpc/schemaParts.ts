/** The internal fields of zod schemas used by code that walks a schema. */
import type { z } from 'zod';

export interface SchemaParts {
	type: string;
	shape?: Record<string, z.ZodType>;
	options?: z.ZodType[];
	element?: z.ZodType;
	innerType?: z.ZodType;
	valueType?: z.ZodType;
	keyType?: z.ZodType;
	in?: z.ZodType;
	transform?: (value: unknown, context: unknown) => unknown;
}

/** Returns the internal fields of a schema. */
export const partsOf = (schema: z.ZodType): SchemaParts =>
	(schema as unknown as { def: SchemaParts }).def;

/** Stops at the first issue: a response can have a million of the same kind, and one is enough. */
export const FIRST_FAULT: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };
