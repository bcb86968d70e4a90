import type { DaemonClient, Gateway } from './types.ts';

const BACKGROUND = { priority: 'background' } as const;

/** Returns a client of one daemon for work that no page waits for. Its calls throw `AppError` `daemon`. */
export function daemonClientOf(gateway: Gateway, daemon: string): DaemonClient {
	return {
		daemon,
		call: (method, ...params) => gateway.call(daemon, method, params, BACKGROUND),
		identity: () => gateway.call(daemon, 'getinfo', [], { ...BACKGROUND, anyChain: true })
	};
}
