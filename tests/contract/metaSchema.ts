/** The official meta-schema of OpenRPC, and a JSON Schema validator that the linter depends on. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The part of the validator's API that these tests use. */
interface Validator {
	addMetaSchema(schema: object): Validator;
	compile(schema: object): ((value: unknown) => boolean) & { errors?: unknown };
	validate(schema: object, value: unknown): boolean;
	errorsText(): string;
}

const require = createRequire(import.meta.url);
const Ajv = require('ajv') as new (options: object) => Validator;
const schemaOfSchemas = {
	definitions: {
		JSONSchemaObject: { properties: { $ref: { type: 'string', format: 'uri-reference' } } }
	},
	allOf: [{ $ref: 'http://json-schema.org/draft-07/schema#' }]
};

/** OpenRPC's schemas of schemas are draft 7 under another URI. */
export const validator = (): Validator =>
	['https://meta.json-schema.tools', 'https://meta.json-schema.tools/'].reduce(
		(ajv, $id) => ajv.addMetaSchema({ ...schemaOfSchemas, $id }),
		new Ajv({ format: 'full', allErrors: true })
	);

export const metaSchema = JSON.parse(
	readFileSync(join(import.meta.dirname, 'openrpc-meta-schema.json'), 'utf8')
) as object;
