import type { Probe } from '#lib/server/kdf/egress/electrum.ts';

/** An address of a provider may hold a key in its path: a page shows where it leads, and no more. */
export const shownProbe = (probe: Probe): Probe =>
	probe.protocol === 'HTTP' || probe.protocol === 'gRPC'
		? { ...probe, url: new URL(probe.url).origin }
		: probe;
