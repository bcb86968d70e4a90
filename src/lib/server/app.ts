/**
 * The application: its components, built once per process and passed to every request. Pages and the RPC API
 * share it, so that the connections, limits and health of each daemon are tracked in one place.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { heldBackForExport } from '#lib/messages/auditLog.ts';
import { stepWaits } from '#lib/messages/database.ts';
import type { Stoppable, StoppableCall } from '#lib/rpc/method.ts';
import {
	createAccessRequests,
	type AccessRequests
} from './access/access-requests/accessRequests.ts';
import { createNearerEnds } from './access/approvals/nearerEnds.ts';
import { createClockDoubt } from './platform/audit-trail/clockDoubt.ts';
import { createApprovals, type Approvals } from './access/approvals/approvals.ts';
import {
	createAdminRecord,
	refuseFormerAdmin,
	type AccountsOnly
} from './access/identity/formerAdmin.ts';
import type { Sessions } from './access/accounts/session.ts';
import { createTokenSpending } from './access/api-tokens/spending.ts';
import type { Audit } from './access/audit/audit.ts';
import { currentActor, noteAct } from './access/audit/context.ts';
import { createLateEvents } from './access/audit/lateEvents.ts';
import { createRefusals, type Refusals } from './access/audit/refusals.ts';
import { exportedUpTo } from './access/notifications/auditExport.ts';
import { createNotifications, type Notifications } from './access/notifications/notifications.ts';
import { createCallPolicy, type CallPolicy } from './access/calls/authorizeCall.ts';
import { createCallBudget } from './access/calls/budget.ts';
import { createReleaseAnswer } from './access/calls/releaseAnswer.ts';
import { createLimits, type Limits } from './access/policy/limits/limits.ts';
import { createMeasurer, type Measurer } from './access/policy/measuring/measurer.ts';
import { createProposals, type Proposals } from './access/proposals/proposals.ts';
import { createRights, type Rights } from './access/rights/rights.ts';
import { createPolicies, type Policies } from './access/policy/rules/policies.ts';
import {
	createSafetyControls,
	type SafetyControls
} from './access/policy/safety-controls/safetyControls.ts';
import { createWallets, type Wallets } from './access/policy/wallets/wallets.ts';
import { createAuth, type Auth } from './access/requests/auth.ts';
import { signOnOptions } from './access/single-sign-on/options.ts';
import { createSavedFilters, type SavedFilters } from './access/saved-filters/savedFilters.ts';
import { createFrameReader, daemonStates } from './api/live/frame.ts';
import { createLive, type Live } from './api/live/live.ts';
import { createGateway } from './chains/daemon/gateway.ts';
import type { Gateway } from './chains/daemon/types.ts';
import { indexOnStandby, openIndex, refuseLaterIndex, type Index } from './chains/indexer/open.ts';
import { createIndexOrders, type IndexOrders } from './chains/indexer/orders.ts';
import { createFirstSteps, type FirstStepsReader } from './cross-chain/first-steps/firstSteps.ts';
import { createMigrations, type Migrations } from './cross-chain/migration/createMigrations.ts';
import { migrationSummary } from './cross-chain/migration/summary.ts';
import {
	createNotaryApprovals,
	type NotaryApprovals
} from './cross-chain/notary-approvals/notaryApprovals.ts';
import {
	createApprovalQueues,
	type ApprovalQueues
} from './cross-chain/notary-approvals/queue/approvalQueues.ts';
import { createApprovalStore } from './cross-chain/notary-approvals/store.ts';
import { work } from './cross-chain/open-work/openWork.ts';
import { createWaiting, type WaitingReader } from './cross-chain/open-work/waiting.ts';
import { createSelfImports, type SelfImports } from './cross-chain/self-import/selfImports.ts';
import { openDatabase, stepsOfLater, type Db } from './database.ts';
import { createActivations, type Activations } from './kdf/activation/activations.ts';
import { createKdfGateway } from './kdf/client/kdfGateway.ts';
import { createKdfStops } from './kdf/client/kdfStops.ts';
import type { KdfGateway } from './kdf/client/kdfTypes.ts';
import { locks } from './locks.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { noticeChanges } from './noticeChanges.ts';
import { noticeLevels } from './noticeLevels.ts';
import { createReadiness } from './readiness.ts';
import { createSendRounds } from './sendRounds.ts';
import { loadConfig } from './platform/config/load.ts';
import { keySettings } from './platform/config/secretFiles.ts';
import type { Config } from './platform/config/types.ts';
import { databaseClock } from './platform/database/databaseClock.ts';
import { diskSpaceOf } from './platform/disk/diskSpace.ts';
import { createDiskWatch, type DiskWatch } from './platform/disk/diskWatch.ts';
import { createCallerAddress } from './platform/net/callerAddress.ts';
import { holdFolder } from './platform/database/holdFolder.ts';
import { SERVER_NAME } from './platform/database/pool.ts';
import { createStandby } from './platform/database/standby.ts';
import { createListener } from './platform/database/writeNotices.ts';
import { AppError, isAppError } from './platform/errors/appError.ts';
import { createPlainHttpWatch } from './platform/http/plainHttp.ts';
import { createSharedPages, type SharedPages } from './platform/http/sharedPages.ts';
import { createIdempotency } from './platform/idempotency/idempotency.ts';
import { createOnceForms, type OnceForms } from './platform/idempotency/onceForms.ts';
import { createClockGuard } from './platform/jobs/clock.ts';
import { begin, type Life } from './platform/jobs/life.ts';
import { createLog } from './platform/logging/log.ts';
import { createSharedBudgets, openOwnBudget } from './platform/rate-limits/budgets.ts';
import {
	createOpenFiles,
	OPEN_FILE_LIMITS,
	type OpenFiles
} from './platform/rate-limits/openFiles.ts';
import {
	createRequestBudget,
	type RequestBudget
} from './platform/rate-limits/throttleRequests.ts';
import { setRunning, type RunningApp } from './platform/runningParts.ts';
import { createCipher } from './platform/secrets/encrypt.ts';
import { createConsole, type Console } from './rpc-proxy/console/console.ts';
import { createOnceCalls } from './rpc-proxy/http/onceCalls.ts';
import { createRpcApi } from './rpc-proxy/rpcApi.ts';
import { STORED_MOMENTS } from './storedMoments.ts';
import { createAddressBook, type AddressBook } from './wallet/address-book/addressBook.ts';
import {
	createBatchTransfers,
	type BatchTransferSender
} from './wallet/batch-transfers/batchTransfers.ts';
import { createDrafts, type Drafts } from './wallet/drafts/drafts.ts';
import { createSender, type Sender } from './wallet/transactions/sender.ts';

export interface App extends RunningApp {
	config: Config;
	db: Db;
	auth: Auth;
	audit: Audit;
	sessions: Sessions;
	gateway: Gateway;
	/** Trading nodes: their configuration, their health, and calls to them. */
	nodes: KdfGateway;
	/** Coins of the trading nodes: activation, PINs, signatures. */
	activations: Activations;
	/** Controls that stop all sends, or all changes, at once. */
	safetyControls: SafetyControls;
	/** Records what people and tokens attempted without having the right. */
	refusals: Refusals;
	/** Who may use which wallet, and the spending limits per day. */
	wallets: Wallets;
	limits: Limits;
	rights: Rights;
	/** Policy rules that judge outgoing transactions. */
	policies: Policies;
	/** Continues approved burns, and expires requests that were not approved in time, as rounds do. */
	afterApprovals(): Promise<boolean>;
	/** What bytes take and move. */
	measurer: Measurer;
	/** Approval requests for transactions. */
	approvals: Approvals;
	/** Changes of rights that other admins must approve. */
	proposals: Proposals;
	/** Members' requests for rights. */
	accessRequests: AccessRequests;
	/** Notices to members, and their channels. */
	notifications: Notifications;
	/** Saved filters of lists. */
	savedFilters: SavedFilters;
	/** The index of the chains; read-only, and from the standby when there is one. */
	index: Index;
	/** Admins' orders for the index; writes. */
	indexOrders: IndexOrders;
	/** Pushes events to open pages. */
	live: Live;
	/** Cache of pages that are the same for all visitors. */
	sharedPages: SharedPages;
	sender: Sender;
	selfImports: SelfImports;
	migrations: Migrations;
	/** Checklist for admins of a new installation. */
	firstSteps: FirstStepsReader;
	/** Counts the open work of members. */
	waiting: WaitingReader;
	/** Published burns and their notary approvals. */
	notaryApprovals: NotaryApprovals;
	/** Queues of burns that are approved together. */
	approvalQueues: ApprovalQueues;
	/** Drafts of token creations. */
	drafts: Drafts;
	/** Transfers of one token to many recipients. */
	batchTransfers: BatchTransferSender;
	/** The team's labels for pubkeys, addresses, tokens and chains. */
	addressBook: AddressBook;
	/** Calls that people make by hand. */
	console: Console;
	/** Authorizes calls of people and scripts. */
	policy: CallPolicy;
	/** Whether the daemons are devnet's: their coins have no value, and pages say so. */
	devnet: boolean;
	/** Watches the disk of the data folder, of which the index leaves a reserve free. */
	disk: DiskWatch;
	/** Metrics for monitoring. */
	metrics: Metrics;
	/** Executes forms with an idempotency key once. */
	onceForm: OnceForms;
	/** Request limits of pages per caller. */
	requestBudget: RequestBudget;
	/** Files that are being downloaded. */
	openFiles: OpenFiles;
}

/** Log message when notifications of other servers' writes do not arrive: the fallback and its limits. */
const NOT_NOTIFIED =
	'notifications of what other servers write do not arrive: the database is polled four times a second instead, the standby is not read, and each server counts requests and calls by itself. A pooler in transaction mode (PgBouncer: pool_mode = transaction) does not forward them';
/** Builds the components in order, and registers with `life` how to stop those that run by themselves. */
async function createApp(life: Life): Promise<App> {
	const config = loadConfig(process.env);
	const log = createLog();
	const place = {
		...(config.databaseUrl === null ? {} : { url: config.databaseUrl }),
		dataDir: config.dataDir,
		application: SERVER_NAME,
		onWait: (step: string) => log.warn(stepWaits(step))
	};
	// Servers over one PostgreSQL database may share a data folder.
	if (config.databaseUrl === null) life.onEnd(await holdFolder(config.dataDir));
	const db = await openDatabase(place);
	life.onEnd(() => db.close());
	const index = await openIndex(place);
	life.onEnd(() => index.close());
	const doubt = createClockDoubt();
	const doubtOfKeys = createClockDoubt(databaseClock(db));
	// The first reading needs the log's last event, so it is before this process adds one.
	for (const one of [doubt, doubtOfKeys]) await one(db);
	const [later] = await stepsOfLater(db);
	if (later !== undefined) throw new AppError('database.newer', { step: later, index: null });
	await refuseLaterIndex(index, config.dataDir);
	const onError = (error: unknown): void => log.error({ err: error }, 'a background task failed');
	const auth = await createAuth(db, {
		dataDir: config.dataDir,
		...keySettings(process.env),
		work,
		publicBrowsing: config.publicBrowsing,
		signOn: signOnOptions(config),
		origin: config.origin ?? undefined
	});
	if (config.admin !== null) {
		const { user: name, password } = config.admin;
		try {
			await auth.setup.ensureFirstAccount({ name, password });
		} catch (cause) {
			if (!isAppError(cause, 'account')) throw cause;
			throw new AppError('config.first-account', { why: cause.message }, { cause });
		}
	}
	const { audit, sessions } = auth;
	audit.watch({
		keepDays: config.auditDays,
		exported: () => exportedUpTo(db, config.auditExport),
		doubt,
		onHeldBack: (segment) => log.warn(heldBackForExport(segment)),
		onError
	});
	life.onEnd(() => audit.stop().catch(onError));
	const safetyControls = createSafetyControls(db, audit);
	/**
	 * Returns the safety control that stops a call. A stopped call of a page request is recorded; background
	 * jobs just wait.
	 */
	const stopped = async (method: Stoppable, call: StoppableCall) => {
		const off = await safetyControls.refusal(method);
		const actor = currentActor();
		if (off !== null && actor !== null) {
			const what = { where: 'call', why: 'safety', what: call.method, place: call.place } as const;
			await refusals.refused(actor, { ...what, reason: { code: 'safety', why: off.coded } });
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
	const wallets = createWallets(db, audit);
	const limits = createLimits(db, audit, Date.now, doubt);
	const metrics = createMetrics({
		gateway,
		nodes,
		index,
		audit,
		disk: () => disk.look(),
		migrations: () => migrationSummary(db, Date.now())
	});
	const refusals = createRefusals({ audit, count: metrics.refused });
	refusals.watch(onError);
	life.onEnd(() => refusals.stop().catch(onError));
	const measurer = createMeasurer(gateway);
	const policies = createPolicies(db, audit, Date.now, doubt);
	const approvals = createApprovals({ db, audit, policies, wallets, measurer, gateway });
	const rights = createRights({
		gateway,
		wallets,
		limits,
		policies,
		approvals,
		measurer,
		refusals
	});
	const writes =
		config.databaseUrl === null
			? undefined
			: createListener({
					url: config.databaseUrl,
					db,
					onChange(arrive) {
						if (arrive) log.info('notifications of what other servers write arrive');
						else log.warn(NOT_NOTIFIED);
					}
				});
	life.onEnd(() => writes?.stop());
	let copied = 0;
	// Each server with a data folder of its own has there what a restore needs, whichever server appended it.
	writes?.onWord(() => {
		if (writes.heardOfOwn !== copied) audit.keepOutsideSoon();
		copied = writes.heardOfOwn;
	});
	/** Change stamp of all but the index, for polls; null when changes may go unannounced. */
	const news = (): number | null =>
		writes === undefined ? db.changeStamp() : writes.isHearing ? writes.heardOfOwn : null;
	const sharedBudgets = writes && createSharedBudgets(writes.budgets);
	life.onEnd(() => sharedBudgets?.stop());
	const openBudget = sharedBudgets?.open ?? openOwnBudget;
	const budget = createCallBudget(openBudget, { callsPer10s: config.callsPer10s });
	const tokenSpending = createTokenSpending(db, Date.now, doubt);
	const late = createLateEvents({ audit, onError });
	life.onEnd(() => late.stop());
	const policy = createCallPolicy({
		refusal: (method) => safetyControls.refusal(method),
		rights,
		tokenSpending,
		audit,
		late,
		refusals,
		listed: ({ ticker, url }) => activations.isListed(ticker, url),
		workOf: (node, task) => activations.workOf(node, task)
	});
	const calls = {
		gateway,
		nodes,
		policy,
		releaseAnswer: createReleaseAnswer({ gateway, policy, rights, tokenSpending, refusals }),
		audit: late,
		budget
	};
	const idempotency = createIdempotency({ db, doubt: doubtOfKeys });
	const onceCall = createOnceCalls(idempotency, openBudget);
	const rpcApi = createRpcApi({
		...calls,
		onceCall,
		openBudget,
		identify: auth.identify,
		refusals,
		publicOrigin: config.origin,
		addressOf: createCallerAddress(config.proxyHeader)
	});
	const clockGuard = createClockGuard({
		db,
		bounds: STORED_MOMENTS,
		onError,
		sharedClock: databaseClock(db),
		also: createNearerEnds(db, audit)
	});
	await clockGuard.repair();
	clockGuard.watch();
	life.onEnd(() => clockGuard.stop());
	const waiting = createWaiting(db, wallets);
	const accessRequests = createAccessRequests({ db, audit, members: auth.members });
	const proposals = createProposals({
		db,
		audit,
		kinds: [
			...auth.changes,
			...accessRequests.changes,
			...limits.changes,
			...policies.changes,
			...safetyControls.changes,
			...wallets.changes
		]
	});
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
	const sender = createSender({
		db,
		locks,
		gateway,
		audit,
		rights,
		approvals,
		finality: config.finality
	});
	const addressBook = createAddressBook(db, audit);
	const batchTransfers = createBatchTransfers({ db, gateway, audit, sender, addressBook, rights });
	const { finality } = config;
	const approvalStore = createApprovalStore({ db, gateway });
	const migrations = createMigrations({
		db,
		locks,
		gateway,
		audit,
		rights,
		approvals,
		recheckApprovals: (burn) => approvalStore.recheck(burn),
		finality,
		index,
		fungibleTokens: config.fungibleTokens,
		onError,
		onStep: metrics.stepped('migrations'),
		news
	});
	migrations.start();
	life.onEnd(() => migrations.stop());
	const notaryApprovals = createNotaryApprovals({
		db,
		locks,
		gateway,
		audit,
		approvalStore,
		migrations,
		sender
	});
	const approvalQueues = createApprovalQueues({
		db,
		audit,
		sender,
		rights,
		approvals: notaryApprovals
	});
	/**
	 * Expires requests that were not approved in time, and continues burns that were approved. Returns
	 * whether any request was open or any burn waited.
	 */
	const afterApprovals = async (): Promise<boolean> => {
		const anyOpen = await approvals.expire();
		if (anyOpen) await migrations.retryApproved();
		return (await migrations.confirmApproved()) || anyOpen;
	};
	const rounds = createSendRounds(
		{
			sender,
			safetyControls,
			approvals,
			proposals,
			batchTransfers,
			approvalQueues,
			afterApprovals,
			doubtMs: async () => Math.ceil(await doubt(db))
		},
		{ onError, onStep: metrics.stepped('sends'), news }
	);
	rounds.start();
	life.onEnd(() => rounds.stop());
	const devnet = existsSync(join(config.komodoHome, 'devnet.json'));
	const activations = await createActivations({
		db,
		audit,
		cipher: createCipher(auth.keys.derive('activations')),
		gateway,
		nodes,
		rights,
		refuseFormerAdmin: (trx, by) => refuseFormerAdmin(trx.withTables<AccountsOnly>(), by),
		config,
		devnet,
		onError,
		onStep: metrics.stepped('activations'),
		news
	});
	activations.start();
	life.onEnd(() => activations.stop());
	const notifications = await createNotifications({
		db,
		audit,
		cipher: createCipher(auth.keys.derive('notifications')),
		smtp: config.smtp,
		auditExport: config.auditExport,
		listed: config.privateServers,
		origin: config.origin ?? `http://localhost:${config.port}`,
		changes: noticeChanges(db),
		levels: noticeLevels({ gateway, index, audit }),
		sessionRule: auth.sessions.rule,
		factorSettings: auth.settings.values,
		doubt,
		onError,
		onStep: metrics.stepped('notices'),
		news
	});
	notifications.start();
	life.onEnd(() => notifications.stop());
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
