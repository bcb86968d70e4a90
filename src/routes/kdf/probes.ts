import { kdfTask } from '#lib/messages/pages/kdf.ts';
import type { Probe } from '#lib/server/kdf/egress/probe.ts';
import { leadsTo } from './leadsTo.ts';

/**
 * Returns test results without server addresses for readers who may not activate: an address may be the
 * team's own.
 */
export const probesFor = (
	{ activate }: { activate: boolean },
	probes: readonly Probe[]
): Probe[] =>
	activate
		? probes.map(shownProbe)
		: probes.map((probe, at) => ({ ...probe, url: kdfTask.servers.nth(at + 1), reason: '' }));

/** Returns a test result without the path of a provider's URL. */
export const shownProbe = (probe: Probe): Probe =>
	probe.protocol === 'HTTP' || probe.protocol === 'gRPC'
		? { ...probe, url: leadsTo(probe.url) }
		: probe;
