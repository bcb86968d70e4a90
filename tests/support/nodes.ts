import { createKdfGateway, type KdfGatewayOptions } from '#lib/server/kdf/client/kdfGateway.ts';
import type { KdfGateway } from '#lib/server/kdf/client/kdfTypes.ts';
import type { KdfConfig } from '#lib/server/platform/config/types.ts';
import { neverSwitchedOff } from './permissive.ts';
import type { KdfError } from '#lib/server/kdf/client/kdfError.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';

/** Where a trading node of a test is, and how it lets in. */
interface Reached {
	id?: string;
	url: string;
	password: string;
	dialect?: KdfConfig['dialect'];
}

/** How it stands in a configuration. */
export const nodeConfig = ({
	id = 'trading-node',
	url,
	password,
	dialect = null
}: Reached): KdfConfig => ({ id, url, credentials: { kind: 'password', password }, dialect });

/** No node was ever stopped, and none stays so. */
const noStops: KdfGatewayOptions['stops'] = {
	get: () => Promise.resolve(null),
	stop: () => Promise.resolve(true),
	resume: () => Promise.resolve(false)
};

/** With what a call to a node failed. @throws what is nothing of the node, and when it did not fail */
export async function failure(call: Promise<unknown>): Promise<KdfError> {
	const error = await call.then(
		() => new Error('The call gave a result.'),
		(reason: unknown) => reason
	);
	if (!isAppError(error, 'kdf')) throw error;
	return error;
}

/** A gateway to a trading node that asks it nothing by itself and lets every call through. */
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
