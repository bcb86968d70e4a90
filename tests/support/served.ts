import { createHostRule } from '#lib/server/platform/net/host.ts';
import type { ServedParts } from '../../src/start/server.ts';

/** Parts of a server that is requested only under loopback names and does not watch requests. */
export const LOCAL: Pick<ServedParts, 'isOurHost' | 'reached'> = {
	isOurHost: createHostRule({ host: '127.0.0.1', origin: null, hosts: [] }),
	reached: () => undefined
};
