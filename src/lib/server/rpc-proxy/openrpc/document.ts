/** What the OpenRPC descriptions of daemons and of trading nodes have in common. */
import { z } from 'zod';
import { openRpc } from '#lib/messages/openRpc.ts';
import { stringifyJson } from '#lib/rpc/json.ts';
import type { Access } from '#lib/rpc/method.ts';
import { accessByRole } from '../../access/policy/permissions.ts';
import { ROLES } from '../../access/identity/roles.ts';
import { RPC_PATH } from '../../platform/http/rpcPath.ts';

/** The version of OpenRPC with the best tool support. */
const OPENRPC = '1.2.6';

export type Schema = Readonly<Record<string, unknown>>;

/** Converts a schema to JSON Schema for the wire format, in the draft that OpenRPC uses. */
export function wireSchema(schema: z.ZodType): Schema {
	const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
		io: 'input',
		target: 'draft-7',
		unrepresentable: 'any'
	});
	return rest;
}

/** Describes who may call a method. */
export const accessOf = (access: Access): object => ({
	class: access,
	roles: ROLES.filter((role) => accessByRole[role].includes(access))
});

/**
 * Returns a document as JSON text.
 * @param origin KOMODECK_ORIGIN; without it server URLs are relative to the document
 * @param places ids of the configured daemons or trading nodes
 */
export const documentText = (
	{ title, description }: { title: string; description: string },
	origin: string | null,
	places: readonly string[],
	methods: readonly object[]
): string =>
	stringifyJson({
		openrpc: OPENRPC,
		info: {
			title,
			version: '1.0.0',
			description: `${description} ${openRpc.idempotency}`,
			license: { name: 'MIT' }
		},
		servers: places.map((id) => ({
			name: id,
			url: `${origin ?? ''}${RPC_PATH}${encodeURIComponent(id)}`
		})),
		methods
	});
