import { createGateway } from '#lib/server/chains/daemon/gateway.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { DaemonConfig } from '#lib/server/platform/config/types.ts';
import { neverSwitchedOff } from './permissive.ts';

/** Where a daemon of a test is, and how it lets in. */
interface Reached {
	id?: string;
	chain?: string;
	url: string;
	user?: string;
	password?: string;
}

/** How it stands in a configuration: nothing is known of it but where it is, unless `more` says so. */
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
 * No daemon counts as away: to one that does nothing is sent for a while after it has refused, and on a busy machine a
 * test that has it back would meet that.
 */
export const neverAway = { awayAfterMs: Infinity };

/** A gateway to daemons that asks them nothing by itself and lets every call through. */
export const gatewayBefore = (...daemons: DaemonConfig[]): Gateway =>
	createGateway({ daemons }, { pollEvery: null, refusal: neverSwitchedOff, limits: neverAway });
