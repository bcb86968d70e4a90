import type { DaemonClient, Gateway } from './types.ts';

const BACKGROUND = { priority: 'background' } as const;

export function daemonClientOf(gateway: Gateway, daemon: string): DaemonClient {
	return {
		daemon,
		call: (method, ...params) => gateway.call(daemon, method, params, BACKGROUND),
		identity: () => gateway.call(daemon, 'getinfo', [], { ...BACKGROUND, anyChain: true })
	};
}
