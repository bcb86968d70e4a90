import { createHostRule } from '#lib/server/platform/http/host.ts';
import type { ServedParts } from '../../src/start/server.ts';

/** What a server needs that is asked under loopback names only, and that nobody watches. */
export const LOCAL: Pick<ServedParts, 'isOurHost' | 'reached'> = {
	isOurHost: createHostRule({ host: '127.0.0.1', origin: null, hosts: [] }),
	reached: () => undefined
};
