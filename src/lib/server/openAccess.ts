/** What members may do, and the calls that they make. */
import { createAccessRequests } from './access/access-requests/accessRequests.ts';
import { createNearerEnds } from './access/approvals/nearerEnds.ts';
import { createApprovals } from './access/approvals/approvals.ts';
import { createTokenSpending } from './access/api-tokens/spending.ts';
import { createLateEvents } from './access/audit/lateEvents.ts';
import { createRefusals } from './access/audit/refusals.ts';
import { createCallPolicy } from './access/calls/authorizeCall.ts';
import { createCallBudget } from './access/calls/budget.ts';
import { createReleaseAnswer } from './access/calls/releaseAnswer.ts';
import { createLimits } from './access/policy/limits/limits.ts';
import { createMeasurer } from './access/policy/measuring/measurer.ts';
import { createProposals } from './access/proposals/proposals.ts';
import { createRights } from './access/rights/rights.ts';
import { createPolicies } from './access/policy/rules/policies.ts';
import { createWallets } from './access/policy/wallets/wallets.ts';
import { migrationSummary } from './cross-chain/migration/summary.ts';
import { createWaiting } from './cross-chain/open-work/waiting.ts';
import type { Activations } from './kdf/activations.ts';
import { createMetrics } from './metrics.ts';
import { databaseClock } from './platform/database/databaseClock.ts';
import { createCallerAddress } from './platform/net/callerAddress.ts';
import { createIdempotency } from './platform/idempotency/idempotency.ts';
import { createClockGuard } from './platform/jobs/clock.ts';
import type { Life } from './platform/jobs/life.ts';
import { createOnceCalls } from './rpc-proxy/http/onceCalls.ts';
import { createRpcApi } from './rpc-proxy/rpcApi.ts';
import { STORED_MOMENTS } from './storedMoments.ts';
import type { Accounts } from './openAccounts.ts';
import type { Stores } from './openStores.ts';
import type { Upstreams } from './openUpstreams.ts';
import { openWrites } from './openWrites.ts';

/** The open activations, which are created after the calls that ask for them. */
type ActivationsAsked = Pick<Activations, 'isListed' | 'workOf'>;

export async function openAccess(
	life: Life,
	stores: Stores,
	accounts: Accounts,
	{ gateway, nodes, disk }: Upstreams,
	activations: () => ActivationsAsked
) {
	const { config, db, index, doubt, doubtOfKeys, onError } = stores;
	const { auth, audit, safetyControls } = accounts;
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
	const { writes, news, openBudget } = openWrites(life, stores, accounts);
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
		listed: ({ ticker, url }) => activations().isListed(ticker, url),
		workOf: (node, task) => activations().workOf(node, task)
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
	return {
		wallets,
		limits,
		metrics,
		refusals,
		measurer,
		policies,
		approvals,
		rights,
		writes,
		news,
		openBudget,
		policy,
		calls,
		idempotency,
		onceCall,
		rpcApi,
		waiting,
		accessRequests,
		proposals
	};
}

export type Access = Awaited<ReturnType<typeof openAccess>>;
