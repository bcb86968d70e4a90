/**
 * The application: its components, built once per process and passed to every request. Pages and the RPC API
 * share it, so that the connections, limits and health of each daemon are tracked in one place.
 */
import { createAdminRecord } from './access/identity/formerAdmin.ts';
import { createSavedFilters } from './access/saved-filters/savedFilters.ts';
import { indexOnStandby } from './chains/indexer/open.ts';
import { createIndexOrders } from './chains/indexer/orders.ts';
import { createFirstSteps } from './cross-chain/first-steps/firstSteps.ts';
import { createSelfImports } from './cross-chain/self-import/selfImports.ts';
import { createReadiness } from './readiness.ts';
import { createPlainHttpWatch } from './platform/http/plainHttp.ts';
import { createSharedPages } from './platform/http/sharedPages.ts';
import { createOnceForms } from './platform/idempotency/onceForms.ts';
import { begin, type Life } from './platform/jobs/life.ts';
import { createOpenFiles, OPEN_FILE_LIMITS } from './platform/rate-limits/openFiles.ts';
import { createRequestBudget } from './platform/rate-limits/throttleRequests.ts';
import { setRunning } from './platform/runningParts.ts';
import { createConsole } from './rpc-proxy/console/console.ts';
import { createDrafts } from './wallet/drafts/drafts.ts';
import type { App } from './appTypes.ts';
import { openAccess, type Access } from './openAccess.ts';
import { openAccounts } from './openAccounts.ts';
import { openLive } from './openLive.ts';
import { openStores } from './openStores.ts';
import { openUpstreams } from './openUpstreams.ts';
import { openWorkers, type Workers } from './openWorkers.ts';

/** Builds the components in order, and registers with `life` how to stop those that run by themselves. */
async function createApp(life: Life): Promise<App> {
	const stores = await openStores(life);
	const accounts = await openAccounts(life, stores);
	// Upstreams and calls ask for parts that are created after them, as soon as the first request comes.
	const upstreams = await openUpstreams(life, stores, accounts, () => access.refusals);
	const access: Access = await openAccess(
		life,
		stores,
		accounts,
		upstreams,
		() => workers.activations
	);
	const { standby, live } = await openLive(life, stores, accounts, upstreams, access);
	const workers: Workers = await openWorkers(life, stores, accounts, upstreams, access);
	const { config, log, db, index } = stores;
	const { auth, audit, sessions, safetyControls } = accounts;
	const { gateway, nodes, disk } = upstreams;
	const { wallets, limits, rights, policies, measurer, approvals, proposals } = access;
	const { refusals, accessRequests, waiting, policy, metrics } = access;
	const { writes, openBudget, calls, idempotency, onceCall, rpcApi } = access;
	const { sender, migrations, notaryApprovals, approvalQueues, batchTransfers } = workers;
	const { addressBook, activations, notifications, afterApprovals, devnet } = workers;
	const app: App = {
		config,
		db,
		auth,
		audit,
		sessions,
		gateway,
		nodes,
		activations,
		safetyControls,
		wallets,
		limits,
		refusals,
		rights,
		policies,
		afterApprovals,
		measurer,
		approvals,
		proposals,
		accessRequests,
		notifications,
		savedFilters: createSavedFilters(db, audit),
		index: standby === undefined ? index : indexOnStandby(index, standby),
		indexOrders: createIndexOrders({ index, record: createAdminRecord(db, audit) }),
		live,
		sharedPages: createSharedPages(
			() => `${db.changeStamp() ?? writes?.heard ?? ''} ${live.position()}`
		),
		sender,
		selfImports: createSelfImports({ gateway, sender, rights }),
		migrations,
		firstSteps: createFirstSteps({ db, gateway }),
		waiting,
		notaryApprovals,
		approvalQueues,
		drafts: createDrafts(db, audit, rights),
		batchTransfers,
		addressBook,
		console: createConsole({ ...calls, db, onceCall }),
		policy,
		devnet,
		async setupLink() {
			const token = await auth.setup.createLink();
			return token === null ? null : `/setup?token=${token}`;
		},
		obstacle: createReadiness(db, index),
		disk,
		metrics,
		onceForm: createOnceForms(idempotency, openBudget),
		requestBudget: createRequestBudget(openBudget, config.requestsPer10s),
		openFiles: createOpenFiles(OPEN_FILE_LIMITS),
		plainHttp: createPlainHttpWatch(config.origin, (text) => log.warn(text)),
		endStreams: () => live.stop(),
		close: () => life.end()
	};
	setRunning('app', app);
	setRunning('rpcApi', rpcApi);
	setRunning('nudge', () => live.nudge());
	return app;
}

let running: Promise<App> | undefined;

/** Returns the application of this process, built at the first call. */
export function getApp(): Promise<App> {
	running ??= begin(createApp);
	return running;
}
