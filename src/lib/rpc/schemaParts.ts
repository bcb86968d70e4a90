/** The parts of a zod schema that are looked at where one is followed by hand. */
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

/** What a schema is made of. */
export const partsOf = (schema: z.ZodType): SchemaParts =>
	(schema as unknown as { def: SchemaParts }).def;

/** Whoever answers wrong answers wrong a million times: the first fault says enough. */
export const FIRST_FAULT: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };
