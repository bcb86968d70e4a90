import type { DaemonClient, Gateway } from './types.ts';

export function daemonClientOf(gateway: Gateway, daemon: string): DaemonClient {
	return {
		daemon,
		call: (method, ...params) => gateway.call(daemon, method, params, { priority: 'background' })
	};
}
