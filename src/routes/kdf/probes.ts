import { kdfTask } from '#lib/messages/pages/kdf.ts';
import type { Probe } from '#lib/server/kdf/egress/electrum.ts';

/** Whoever may not activate sees how servers answered, and not which ones: an address may be the team's own. */
export const probesFor = (
	{ activate }: { activate: boolean },
	probes: readonly Probe[]
): Probe[] =>
	activate
		? probes.map(shownProbe)
		: probes.map((probe, at) => ({ ...probe, url: kdfTask.servers.nth(at + 1), reason: '' }));

/** An address of a provider may hold a key in its path: a page shows where it leads, and no more. */
export const shownProbe = (probe: Probe): Probe =>
	probe.protocol === 'HTTP' || probe.protocol === 'gRPC'
		? { ...probe, url: new URL(probe.url).origin }
		: probe;
