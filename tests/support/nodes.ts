import { createKdfGateway, type KdfGatewayOptions } from '#lib/server/kdf/client/kdfGateway.ts';
import type { KdfGateway } from '#lib/server/kdf/client/kdfTypes.ts';
import type { KdfConfig } from '#lib/server/platform/config/types.ts';
import { neverSwitchedOff } from './permissive.ts';
import type { KdfError } from '#lib/server/kdf/client/kdfError.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';

/** Address and credentials of a trading node of a test. */
interface Reached {
	id?: string;
	url: string;
	password: string;
	dialect?: KdfConfig['dialect'];
}

/** A trading node's entry in a configuration. */
export const nodeConfig = ({
	id = 'trading-node',
	url,
	password,
	dialect = null
}: Reached): KdfConfig => ({ id, url, credentials: { kind: 'password', password }, dialect });

/** Stores no stops: no trading node was ever stopped. */
const noStops: KdfGatewayOptions['stops'] = {
	get: () => Promise.resolve(null),
	stop: () => Promise.resolve(true),
	resume: () => Promise.resolve(false)
};

/**
 * The error of a call to a trading node.
 * @throws any other error, and when the call did not fail
 */
export async function failure(call: Promise<unknown>): Promise<KdfError> {
	const error = await call.then(
		() => new Error('The call gave a result.'),
		(reason: unknown) => reason
	);
	if (!isAppError(error, 'kdf')) throw error;
	return error;
}

/** A gateway to a trading node that does not poll and allows every call. */
export const nodesBefore = (
	node: KdfConfig,
	options: Partial<KdfGatewayOptions> = {}
): KdfGateway =>
	createKdfGateway(
		{ nodes: [node] },
		{
			audit: { append: () => Promise.resolve() },
			stops: noStops,
			refusal: neverSwitchedOff,
			pollEvery: null,
			...options
		}
	);
