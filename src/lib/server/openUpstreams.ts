/** Daemons and trading nodes, and the disk of this server. */
import type { Stoppable, StoppableCall } from '#lib/rpc/method.ts';
import { currentActor, noteAct } from './access/audit/context.ts';
import type { Refusals } from './access/audit/refusals.ts';
import { createGateway } from './chains/daemon/gateway.ts';
import { createKdfGateway } from './kdf/client/kdfGateway.ts';
import { createKdfStops } from './kdf/client/kdfStops.ts';
import { diskSpaceOf } from './platform/disk/diskSpace.ts';
import { createDiskWatch } from './platform/disk/diskWatch.ts';
import type { Life } from './platform/jobs/life.ts';
import type { Accounts } from './openAccounts.ts';
import type { Stores } from './openStores.ts';

/** @param refusals records calls that a safety control stops; it is created after the upstreams that it asks */
export async function openUpstreams(
	life: Life,
	{ config, log, db, onError }: Stores,
	{ audit, safetyControls }: Accounts,
	refusals: () => Refusals
) {
	/**
	 * Returns the safety control that stops a call. A stopped call of a page request is recorded; background
	 * jobs just wait.
	 */
	const stopped = async (method: Stoppable, call: StoppableCall) => {
		const off = await safetyControls.refusal(method);
		const actor = currentActor();
		if (off !== null && actor !== null) {
			const what = { where: 'call', why: 'safety', what: call.method, place: call.place } as const;
			await refusals().refused(actor, { ...what, reason: { code: 'safety', why: off.coded } });
		}
		return off;
	};
	const gateway = createGateway(config, { refusal: stopped, onActed: noteAct });
	life.onEnd(() => gateway.close());
	const nodes = createKdfGateway(config, {
		stops: createKdfStops(db),
		audit,
		refusal: stopped,
		onActed: noteAct
	});
	life.onEnd(() => nodes.close());
	const disk = createDiskWatch({
		read: diskSpaceOf(config.dataDir),
		reserve: config.indexDiskReserve,
		hasIndex: config.databaseUrl === null,
		warn: (words) => log.warn(words),
		onError
	});
	life.onEnd(() => disk.stop());
	await disk.look();
	return { gateway, nodes, disk };
}

export type Upstreams = Awaited<ReturnType<typeof openUpstreams>>;
