import { createGateway } from '#lib/server/chains/daemon/gateway.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { neverSwitchedOff } from './permissive.ts';

/** Address and credentials of a daemon of a test. */
interface Reached {
	id?: string;
	chain?: string;
	url: string;
	user?: string;
	password?: string;
}

/** A daemon's entry in a configuration: only its address is known, unless `more` adds facts. */
export const daemonConfig = (
	{ id = 'ALPHA', chain = id, url, user = 'u', password = 'p' }: Reached,
	more: Partial<DaemonConfig> = {}
): DaemonConfig => ({
	id,
	chain,
	url,
	credentials: { kind: 'password', user, password },
	purposes: ['read', 'wallet'],
	dialect: null,
	acImport: null,
	acPubkey: null,
	dataCarrierSize: null,
	expect: { ccid: null, pubkey: null },
	...more
});

/**
 * No daemon counts as offline: after a refusal a daemon counts as offline for a while, and on a busy machine a
 * test whose daemon is back would still see that.
 */
export const neverAway = { awayAfterMs: Infinity };

/** A gateway to daemons that does not poll and allows every call. */
export const gatewayBefore = (...daemons: DaemonConfig[]): Gateway =>
	createGateway({ daemons }, { pollEvery: null, refusal: neverSwitchedOff, limits: neverAway });
