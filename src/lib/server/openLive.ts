/** The standby that is read, and the event stream of open pages. */
import { createFrameReader, daemonStates } from './api/live/frame.ts';
import { createLive } from './api/live/live.ts';
import { createStandby } from './platform/database/standby.ts';
import type { Life } from './platform/jobs/life.ts';
import type { Access } from './openAccess.ts';
import type { Accounts } from './openAccounts.ts';
import type { Stores } from './openStores.ts';
import type { Upstreams } from './openUpstreams.ts';

export async function openLive(
	life: Life,
	{ config, log, db, index, onError }: Stores,
	{ auth, sessions, safetyControls }: Accounts,
	{ gateway }: Upstreams,
	{ writes, waiting, accessRequests, approvals, proposals }: Access
) {
	const standby =
		writes === undefined || config.databaseReadUrl === null
			? undefined
			: createStandby({
					url: config.databaseReadUrl,
					db,
					writes,
					onChange(problem) {
						if (problem === null) log.info('the standby is read');
						else log.warn({ err: problem }, 'the standby is not read, the primary is');
					}
				});
	life.onEnd(() => standby?.close());
	const live = await createLive({
		writes,
		onNews: () => standby?.written(),
		ownNews: () => daemonStates(gateway),
		sessionRule: () => sessions.rule(),
		settings: () => auth.settings.values(),
		index,
		db,
		frame: createFrameReader({
			gateway,
			safetyControls,
			waiting,
			accessRequests,
			approvals,
			proposals
		}),
		onError
	});
	life.onEnd(() => live.stop());
	return { standby, live };
}
